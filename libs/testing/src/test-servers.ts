import { claimServer } from './claim-server.ts';

/** A URL of the PostgreSQL server tests may create databases on: the run's, the developer's own, or the keeper's. */
export async function testServerUrl(): Promise<string> {
  const given = firstGiven('TEST_DATABASE_URL', 'DATABASE_URL');
  if (given !== undefined) return given;
  const [url] = await claimServer('postgres');
  if (url === undefined) throw new Error('The keeper named no PostgreSQL server.');
  return url;
}

/**
 * Brokers of a real Kafka for this test process (`host:port` each): the run's, the developer's own, or one started now.
 * Throws, saying what to install, when this machine can run none. Topics are not cleaned up: name them uniquely.
 */
export async function testKafkaBrokers(): Promise<string[]> {
  const given = firstGiven('TEST_KAFKA_BROKERS', 'KAFKA_BROKERS');
  if (given !== undefined) return given.split(',').map((broker) => broker.trim());
  return [...(await claimServer('kafka'))];
}

function firstGiven(...names: string[]): string | undefined {
  return names.map((name) => process.env[name]).find((value) => value !== undefined && value !== '');
}
