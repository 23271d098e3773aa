import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { baseEnvironment, eventLogConfigFrom } from './base-environment.ts';
import { describeConfig, loadConfig } from './load-config.ts';

const base = z.object(baseEnvironment);
const good = { DATABASE_URL: 'postgresql://writer:hunter2@db:5432/content', KAFKA_BROKERS: 'kafka-0:9093' };
const CA = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';
const sasl = { KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'hunter3' };
const load = (env: Record<string, string>) => loadConfig(base, { ...good, ...env }, 'x');
const logOf = (env: Record<string, string>) => eventLogConfigFrom(load(env), 'x');

describe('the settings of Kafka', () => {
  it('are neither TLS nor SASL unless they say so', () => {
    expect(logOf({})).toEqual({ kind: 'kafka', brokers: ['kafka-0:9093'], clientId: 'x' });
    expect(logOf({ KAFKA_SSL: 'true' })).toMatchObject({ ssl: {} });
  });

  it('are TLS where an authority or a certificate is given, and SASL where a mechanism is', () => {
    expect(logOf({ KAFKA_SSL_CA: CA, KAFKA_SSL_CERT: CA, KAFKA_SSL_KEY: KEY, ...sasl })).toMatchObject({
      ssl: { ca: CA, cert: CA, key: KEY },
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'hunter3' },
    });
  });

  it('take the path of a file for a certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-kafka-'));
    const file = join(folder, 'ca.crt');
    await writeFile(file, CA);
    expect(logOf({ KAFKA_SSL_CA: file })).toMatchObject({ ssl: { ca: CA } });
    await rm(folder, { recursive: true });
  });

  it.each([
    [{ KAFKA_SSL_CA: '/nowhere/ca.crt' }, 'KAFKA_SSL_CA is invalid (value hidden): must be a certificate in PEM'],
    [{ KAFKA_SSL_CERT: CA }, 'KAFKA_SSL_KEY is missing. KAFKA_SSL_CERT, KAFKA_SSL_KEY must be set together.'],
    [{ KAFKA_SSL_CERT: CA, KAFKA_SSL_KEY: CA }, 'KAFKA_SSL_KEY is invalid (value hidden): must be a private key'],
    [{ KAFKA_SSL_CA: CA, KAFKA_SSL: 'false' }, 'KAFKA_SSL_CA is set, but KAFKA_SSL is false'],
    [{ KAFKA_SASL_USERNAME: 'me' }, 'KAFKA_SASL_PASSWORD is missing. KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME'],
    [{ ...sasl, KAFKA_SASL_MECHANISM: 'GSSAPI' }, 'KAFKA_SASL_MECHANISM is "GSSAPI"'],
  ])('that do not go together are an error that names what to do', (env, message) => {
    expect(() => load(env as Record<string, string>)).toThrow(message);
  });

  it('show no password, key or certificate', () => {
    const config = load({ KAFKA_SSL_CA: CA, KAFKA_SSL_CERT: CA, KAFKA_SSL_KEY: KEY, ...sasl });
    expect(describeConfig(base, config)).toMatchObject({
      KAFKA_SSL_CA: 'set',
      KAFKA_SSL_CERT: 'set',
      KAFKA_SSL_KEY: 'set',
      KAFKA_SASL_USERNAME: 'me',
      KAFKA_SASL_PASSWORD: 'set',
    });
  });
});
