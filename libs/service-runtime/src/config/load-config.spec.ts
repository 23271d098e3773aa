import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretBoxKeys } from '@blog-content/credentials';
import { z } from 'zod';
import { baseEnvironment, eventLogConfigFrom } from './base-environment.ts';
import { ConfigError, describeConfig, loadConfig, type Environment } from './load-config.ts';
import { MAX_SECRET_FILE_BYTES } from './secret-file.ts';
import { secret } from './secret-variable.ts';
import { booleanVariable, integerVariable, listVariable } from './variables.ts';

const databaseUrl = 'postgresql://writer:hunter2@db:5432/content';
const good = { DATABASE_URL: databaseUrl, KAFKA_BROKERS: 'kafka-0:9092' };
const base = z.object(baseEnvironment);

function problemsOf(schema: z.ZodObject, env: Environment): string {
  try {
    loadConfig(schema, env, 'content-service');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The config was accepted.');
}

describe('loadConfig', () => {
  it('gives the variables with their defaults as one frozen object', () => {
    const config = loadConfig(base, { ...good, KAFKA_BROKERS: ' kafka-0:9092, [::1]:9093,', HOME: '/root' }, 'x');
    expect(config).toEqual({
      HOST: '0.0.0.0',
      PORT: 8080,
      ADMIN_PORT: 9090,
      LOG_LEVEL: 'info',
      DATABASE_URL: databaseUrl,
      KAFKA_BROKERS: ['kafka-0:9092', '[::1]:9093'],
      EVENT_LOG_UNREACHABLE_AFTER_MS: 30_000,
      SHUTDOWN_TIMEOUT_MS: 15000,
      LAST_REQUEST_MS: 1000,
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.KAFKA_BROKERS)).toBe(true);
  });

  it('names every wrong and every missing variable in one message', () => {
    const message = problemsOf(z.object({ ...baseEnvironment, ENCRYPTION_KEYS: secretBoxKeys }), {
      PORT: '65536',
      LOG_LEVEL: 'loud',
      KAFKA_BROKERS: 'kafka',
    });
    expect(message.split('\n')).toEqual([
      'content-service cannot start: invalid environment.',
      '  PORT is "65536": must be a whole number between 0 and 65535',
      expect.stringMatching(/^ {2}LOG_LEVEL is "loud": .*"debug"\|"info"\|"warn"\|"error"/),
      '  DATABASE_URL is missing. PostgreSQL database of this service.',
      '  KAFKA_BROKERS is "kafka": must be comma-separated host:port pairs, such as kafka-0:9092,kafka-1:9092',
      '  ENCRYPTION_KEYS is missing.',
    ]);
  });

  it('takes an empty variable as one that is not set', () => {
    expect(problemsOf(base, { ...good, DATABASE_URL: '' })).toContain('DATABASE_URL is missing');
    expect(loadConfig(base, { ...good, PORT: '', EVENT_LOG_DATABASE_URL: '' }, 'x').PORT).toBe(8080);
  });

  it('never shows the value of a secret, be it marked or named so', () => {
    const quoting = z.string().refine((text) => text.length > 20, { error: (issue) => `bad: ${String(issue.input)}` });
    const schema = z.object({
      DATABASE_URL: baseEnvironment.DATABASE_URL,
      SALT: secret(quoting).describe('Salt.').optional(),
      BOOTSTRAP_OWNER_PASSWORD: quoting,
      ENCRYPTION_KEYS: secretBoxKeys,
    });
    const message = problemsOf(schema, {
      DATABASE_URL: 'mysql://writer:hunter2@db',
      SALT: 'hunter3',
      BOOTSTRAP_OWNER_PASSWORD: 'hunter4',
      ENCRYPTION_KEYS: 'a:hunter5',
    });
    expect(message).not.toMatch(/hunter\d/);
    expect(message).toContain('SALT is invalid (value hidden)');
    expect(message).toContain('ENCRYPTION_KEYS is invalid (value hidden): key 1 must be 32 bytes in base64');
  });

  it('hides the password in a value that it does show', () => {
    const schema = z.object({ PROXY: z.string().max(5) });
    expect(problemsOf(schema, { PROXY: 'http://me:hunter2@proxy' })).toContain('"http://[redacted]@proxy"');
  });

  it.each([
    [{ DATABASE_URL: databaseUrl }, 'neither is set'],
    [{ ...good, EVENT_LOG_DATABASE_URL: databaseUrl }, 'both are set'],
  ])('insists on exactly one event log', (env, message) => {
    expect(problemsOf(base, env)).toContain(`KAFKA_BROKERS and EVENT_LOG_DATABASE_URL: ${message}`);
  });

  it('freezes no bytes that a schema makes', () => {
    const schema = z.object({ SALT: z.string().transform((text) => ({ bytes: Buffer.from(text) })) });
    expect(loadConfig(schema, { SALT: 'abc' }, 'x').SALT.bytes.toString()).toBe('abc');
  });

  it('asks a job that has no event log for none', () => {
    const job = z.object({ DATABASE_URL: baseEnvironment.DATABASE_URL });
    expect(loadConfig(job, { DATABASE_URL: databaseUrl }, 'x')).toEqual({ DATABASE_URL: databaseUrl });
  });

  it('picks the event log that is set', () => {
    const { DATABASE_URL } = good;
    expect(eventLogConfigFrom(loadConfig(base, good, 'x'), 'me')).toEqual({
      kind: 'kafka',
      brokers: ['kafka-0:9092'],
      clientId: 'me',
    });
    const embedded = loadConfig(base, { DATABASE_URL, EVENT_LOG_DATABASE_URL: databaseUrl }, 'x');
    expect(eventLogConfigFrom(embedded, 'me')).toEqual({ kind: 'postgres', databaseUrl });
  });
});

describe('a secret in a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const schema = z.object({ SMTP_PASSWORD: secret(z.string()), PORT: baseEnvironment.PORT });
  const fileOf = async (content: string | Uint8Array) => {
    const file = join(folder, 'password');
    await writeFile(file, content);
    return file;
  };
  const load = (env: Environment) => loadConfig(schema, env, 'x').SMTP_PASSWORD;

  it.each([
    ['hunter2', 'hunter2'],
    ['hunter2\n', 'hunter2'],
    ['hunter2\r\n', 'hunter2'],
    ['hunter2\n\n', 'hunter2\n'],
    [' hunter 2 ', ' hunter 2 '],
    ['x'.repeat(MAX_SECRET_FILE_BYTES), 'x'.repeat(MAX_SECRET_FILE_BYTES)],
  ])('is read without one line break at its end (%#)', async (content, secretText) => {
    expect(load({ SMTP_PASSWORD_FILE: await fileOf(content), SMTP_PASSWORD: '' })).toBe(secretText);
  });

  it.each([
    ['', 'the file is empty'],
    ['\n', 'the file is empty'],
    [new Uint8Array([0x68, 0xff, 0x68]), 'the file isn’t UTF-8 text'],
    ['x'.repeat(MAX_SECRET_FILE_BYTES + 1), 'the file is too large. A secret has at most 64 kB'],
  ])('is refused with the variable and the path (%#)', async (content, fault) => {
    const file = await fileOf(content);
    expect(problemsOf(schema, { SMTP_PASSWORD_FILE: file })).toBe(
      `content-service cannot start: invalid environment.\n  SMTP_PASSWORD_FILE is "${file}": ${fault}.`,
    );
  });

  it('must be there, and be a file', () => {
    expect(problemsOf(schema, { SMTP_PASSWORD_FILE: `${folder}/none` })).toContain(
      `SMTP_PASSWORD_FILE is "${folder}/none": the file doesn’t exist.`,
    );
    expect(problemsOf(schema, { SMTP_PASSWORD_FILE: folder })).toContain(
      `SMTP_PASSWORD_FILE is "${folder}": the path is a folder, not a file.`,
    );
  });

  it('excludes the variable itself, and shows neither', async () => {
    const message = problemsOf(schema, { SMTP_PASSWORD: 'hunter1', SMTP_PASSWORD_FILE: await fileOf('hunter2') });
    expect(message).toContain('SMTP_PASSWORD and SMTP_PASSWORD_FILE: both are set. Set only one.');
    expect(message).not.toMatch(/hunter\d/);
  });

  it('counts for the event log as its variable does', async () => {
    const EVENT_LOG_DATABASE_URL_FILE = await fileOf(databaseUrl);
    const config = loadConfig(
      base,
      { DATABASE_URL_FILE: EVENT_LOG_DATABASE_URL_FILE, EVENT_LOG_DATABASE_URL_FILE },
      'x',
    );
    expect(config).toMatchObject({ DATABASE_URL: databaseUrl, EVENT_LOG_DATABASE_URL: databaseUrl });
  });

  it('is for secrets only', async () => {
    const SMTP_PASSWORD = 'hunter2';
    expect(loadConfig(schema, { SMTP_PASSWORD, PORT_FILE: await fileOf('1') }, 'x').PORT).toBe(8080);
  });
});

describe('describeConfig', () => {
  it('shows values, and of secrets only whether they are set', () => {
    const schema = z.object({ ...baseEnvironment, SALT: secret(z.string()).optional() });
    expect(describeConfig(schema, loadConfig(schema, good, 'x'))).toMatchObject({
      PORT: 8080,
      KAFKA_BROKERS: ['kafka-0:9092'],
      DATABASE_URL: 'set',
      EVENT_LOG_DATABASE_URL: 'unset',
      SALT: 'unset',
    });
  });
});

describe('variables', () => {
  const read = (schema: z.ZodType, text: string | undefined) => schema.safeParse(text);

  it.each(['', '1.5', '1e3', '0x10', ' 1', '-1', '11', 'ten', '9'.repeat(400)])('refuses %j as 0 to 10', (text) => {
    expect(read(integerVariable({ min: 0, max: 10 }), text).success).toBe(false);
  });

  it('takes both ends of an integer’s range', () => {
    const variable = integerVariable({ min: -5, max: 10 });
    expect(['-5', '10', '007'].map((text) => read(variable, text).data)).toEqual([-5, 10, 7]);
  });

  it('reads booleans in four spellings only', () => {
    expect(['true', '1', 'false', '0'].map((text) => read(booleanVariable(), text).data)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const text of ['TRUE', 'yes', 'on', '2', '']) expect(read(booleanVariable(), text).success).toBe(false);
    expect(read(booleanVariable({ default: false }), undefined).data).toBe(false);
  });

  it('reads lists, and asks for one value at least', () => {
    expect(read(listVariable(), 'a, b ,,c').data).toEqual(['a', 'b', 'c']);
    expect(read(listVariable(), ' , ').success).toBe(false);
    expect(read(listVariable({ default: [] }), undefined).data).toEqual([]);
  });

  it('requires what has no default', () => {
    for (const variable of [integerVariable({ min: 0, max: 1 }), booleanVariable(), listVariable()]) {
      expect(read(variable, undefined).success).toBe(false);
    }
  });
});
