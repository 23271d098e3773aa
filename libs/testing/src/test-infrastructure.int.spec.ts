import { pingKafka } from '@blog-content/local-infrastructure';
import pg from 'pg';
import { startTestInfrastructure } from './index.ts';

describe('startTestInfrastructure', () => {
  it('names servers that answer, and says where Kafka comes from or what to install', async () => {
    const messages: string[] = [];
    const { env, kafka, stop } = await startTestInfrastructure({ onProgress: (message) => messages.push(message) });
    try {
      const client = new pg.Client({ connectionString: env.TEST_DATABASE_URL });
      await client.connect();
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await client.end();
      expect(env.TEST_KAFKA_BROKERS !== undefined).toBe(kafka.available);
      for (const broker of env.TEST_KAFKA_BROKERS?.split(',') ?? []) await pingKafka(broker);
      if (!kafka.available) expect(kafka.reason).toContain('Java 17');
    } finally {
      await stop();
    }
  });
});
