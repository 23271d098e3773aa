import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { secret } from './secret-variable.ts';
import { booleanVariable, listVariable } from './variables.ts';

/** PEM text, or the absolute path of a file with it, which is read once. Not shown: it fills a screen, or is a key. */
function pemVariable(what: 'CERTIFICATE' | 'PRIVATE KEY') {
  const expected = `must be a ${what.toLowerCase()} in PEM, or the absolute path of a PEM file`;
  return secret(
    z.string().transform((text, context) => {
      const pem = text.startsWith('/') ? readIfThere(text) : text;
      if (pem !== undefined && new RegExp(`-----BEGIN [A-Z ]*${what}-----`).test(pem)) return pem;
      context.addIssue({ code: 'custom', message: expected, input: undefined });
      return z.NEVER;
    }),
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The variables that say how Kafka is reached: brokers, TLS, and who the service is there (SASL). */
export const kafkaEnvironment = {
  KAFKA_BROKERS: listVariable({
    item: /^[^\s,:]+:\d{1,5}$|^\[[0-9a-fA-F:.]+\]:\d{1,5}$/,
    expected: 'must be comma-separated host:port pairs, such as kafka-0:9092,kafka-1:9092',
  })
    .optional()
    .describe('Kafka brokers of the event log, as comma-separated host:port pairs.'),
  KAFKA_SSL: booleanVariable()
    .optional()
    .describe('Whether to use TLS with the brokers. Defaults to true if any KAFKA_SSL_… variable is set.'),
  KAFKA_SSL_CA: pemVariable('CERTIFICATE')
    .optional()
    .describe('Certificate authority of the brokers. PEM, or the path of a file. Defaults to the system’s.'),
  KAFKA_SSL_CERT: pemVariable('CERTIFICATE')
    .optional()
    .describe('Client certificate of this service, for brokers that require one. PEM, or the path of a file.'),
  KAFKA_SSL_KEY: pemVariable('PRIVATE KEY').optional().describe('Private key of KAFKA_SSL_CERT.'),
  KAFKA_SASL_MECHANISM: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .optional()
    .describe('SASL mechanism for the brokers.'),
  KAFKA_SASL_USERNAME: z.string().min(1).max(255).optional().describe('SASL user name.'),
  KAFKA_SASL_PASSWORD: secret(z.string().min(1).max(1_024)).optional().describe('SASL password.'),
};

export type KafkaConfig = z.infer<z.ZodObject<typeof kafkaEnvironment>>;

/** How the brokers are spoken to, as `@blog-content/event-log` takes it. */
export interface KafkaSecurity {
  /** Present: over TLS. */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

/** Picks the security settings from a loaded config. */
export function kafkaSecurityFrom(config: KafkaConfig): KafkaSecurity {
  const { KAFKA_SSL_CA: ca, KAFKA_SSL_CERT: cert, KAFKA_SSL_KEY: key } = config;
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  const isSsl = config.KAFKA_SSL ?? (ca !== undefined || cert !== undefined);
  return {
    ...(isSsl && { ssl: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }),
    ...(mechanism &&
      username &&
      password && {
        sasl: { mechanism: mechanism.toLowerCase() as Lowercase<typeof mechanism>, username, password },
      }),
  };
}

/** Settings that say nothing without each other. */
const TOGETHER = [
  ['KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'],
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
] as const;

/** What does not go together in the given variables: each problem names a variable and what to do. */
export function kafkaProblems(
  given: Readonly<Record<string, string>>,
): readonly { readonly variable: string; readonly message: string }[] {
  const incomplete = TOGETHER.filter((names) => names.some((name) => given[name] !== undefined)).flatMap((names) =>
    names
      .filter((name) => given[name] === undefined)
      .map((name) => ({ variable: name, message: `is missing. ${names.join(', ')} must be set together.` })),
  );
  const isOff = given['KAFKA_SSL'] === 'false' || given['KAFKA_SSL'] === '0';
  const unused = isOff
    ? ['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'].filter((name) => given[name] !== undefined)
    : [];
  return [
    ...incomplete,
    ...unused.map((variable) => ({
      variable,
      message: 'is set, but KAFKA_SSL is false. Remove one of them.',
    })),
  ];
}
