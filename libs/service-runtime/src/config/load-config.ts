import type { z } from 'zod';
import { redactText } from '../log/logger.ts';
import { kafkaProblems } from './kafka-environment.ts';
import { readSecretFile, SecretFileError } from './secret-file.ts';
import { isSecret } from './secret-variable.ts';

/** Variables as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One wrong or missing variable: what is wrong with it, without a secret's value. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/**
 * An environment a service cannot start with. The message is a readable text of several lines, one for each problem.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(serviceName: string, problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable} ${message}`);
    super(`${serviceName} cannot start: invalid environment.\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

const MAX_SHOWN_LENGTH = 100;
const EITHER_EVENT_LOG = 'KAFKA_BROKERS and EVENT_LOG_DATABASE_URL:';

/**
 * Reads a service's variables from `env` into one frozen object. Variables that the schema does not name are ignored,
 * empty ones count as unset. A secret may be in a file that `<NAME>_FILE` names instead. When the schema has both `KAFKA_BROKERS` and `EVENT_LOG_DATABASE_URL`, exactly one must be
 * set.
 *
 * @throws ConfigError naming every wrong or missing variable with what is expected, and never the value of a secret.
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  env: Environment,
  serviceName: string,
): Readonly<z.infer<S>> {
  const { given, problems: fileProblems } = readVariables(schema, env);
  // Only what is wrong with the files: without them, more would seem to be missing.
  if (fileProblems.length > 0) throw new ConfigError(serviceName, fileProblems);
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, schema, given))),
    ...eventLogProblems(schema, given),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(serviceName, problems);
  return freeze(parsed.data);
}

/** A config as the start line shows it: values as they are, secrets as `set` or `unset`. */
export function describeConfig(
  schema: z.ZodObject,
  config: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(variablesOf(schema)).map(([name, variable]) => {
    const value = config[name];
    return [name, isSecret(name, variable) ? (value === undefined ? 'unset' : 'set') : (value ?? 'unset')];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

interface GivenVariables {
  readonly given: Readonly<Record<string, string>>;
  readonly problems: readonly ConfigProblem[];
}

function readVariables(schema: z.ZodObject, env: Environment): GivenVariables {
  const given: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, variable] of Object.entries(variablesOf(schema))) {
    const text = env[name] ?? '';
    if (text !== '') given[name] = text;
    const file = isSecret(name, variable) ? (env[fileVariableOf(name)] ?? '') : '';
    if (file === '') continue;
    if (text !== '') {
      problems.push({ variable: `${name} and ${fileVariableOf(name)}:`, message: 'both are set. Set only one.' });
      continue;
    }
    try {
      given[name] = readSecretFile(file);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      problems.push({ variable: fileVariableOf(name), message: `is ${JSON.stringify(file)}: ${error.message}.` });
    }
  }
  return { given, problems };
}

/** The variable that names the file of a secret. */
export const fileVariableOf = (name: string): string => `${name}_FILE`;

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  given: Readonly<Record<string, string>>,
): ConfigProblem {
  const name = String(issue.path[0] ?? '');
  const variable = variablesOf(schema)[name];
  const value = given[name];
  if (variable === undefined) return { variable: 'The environment', message: issue.message };
  if (value === undefined) {
    const what = variable.description;
    const expected = issue.code === 'custom' ? ` It ${issue.message}.` : '';
    return { variable: name, message: `is missing.${what === undefined ? '' : ` ${what}`}${expected}` };
  }
  if (isSecret(name, variable)) {
    const message = issue.message.includes(value) ? 'not the expected value' : issue.message;
    return { variable: name, message: `is invalid (value hidden): ${message}` };
  }
  const cut = value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value;
  return { variable: name, message: `is ${JSON.stringify(redactText(cut))}: ${issue.message}` };
}

const variablesOf = (schema: z.ZodObject) => schema.shape as Readonly<Record<string, z.ZodType>>;

function eventLogProblems(schema: z.ZodObject, given: Readonly<Record<string, string>>): readonly ConfigProblem[] {
  if (!('KAFKA_BROKERS' in schema.shape && 'EVENT_LOG_DATABASE_URL' in schema.shape)) return [];
  const kafka = given['KAFKA_BROKERS'] !== undefined;
  const postgres = given['EVENT_LOG_DATABASE_URL'] !== undefined;
  if (kafka && postgres) return [{ variable: EITHER_EVENT_LOG, message: 'both are set. Set only one.' }];
  if (!kafka && !postgres) return [{ variable: EITHER_EVENT_LOG, message: 'neither is set. Set one.' }];
  return kafkaProblems(given);
}

/** Freezes plain objects and arrays to any depth. What else a schema may make (bytes, keys, sets) cannot bear it. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (!Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]') return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
