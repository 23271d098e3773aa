/** A URL of the PostgreSQL server tests may create databases on: the run's, or the developer's own. */
export function testServerUrl(): string {
  return given('TEST_DATABASE_URL', 'DATABASE_URL');
}

/**
 * Brokers of a real Kafka (`host:port` each): the run's, or the developer's own. Topics are not cleaned up: name them
 * uniquely.
 */
export function testKafkaBrokers(): string[] {
  return given('TEST_KAFKA_BROKERS', 'KAFKA_BROKERS')
    .split(',')
    .map((broker) => broker.trim());
}

function given(...names: string[]): string {
  const value = names.map((name) => process.env[name]).find((set) => set !== undefined && set !== '');
  if (value !== undefined) return value;
  throw new Error(
    `This test needs servers. Run it as "npm test -- --only <project> [file]", or set ${names.join(' or ')}.`,
  );
}
