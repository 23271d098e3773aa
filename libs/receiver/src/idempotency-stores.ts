/** Remembers what was answered to a publish, by its `idempotency_key`. */
export interface IdempotencyStore {
  /** The answer that was kept; null when there is none. */
  get(key: string): Promise<string | null> | string | null;
  /** Keeps an answer, for an hour and a half at least: attempts may continue for so long. */
  set(key: string, answer: string): unknown;
}

const WEEK_S = 7 * 24 * 3600;

/** In the memory of one process: the last `maxKeys`. */
export function memoryStore({ maxKeys = 10_000 }: { maxKeys?: number } = {}): IdempotencyStore {
  const answers = new Map<string, string>();
  return {
    get: (key) => answers.get(key) ?? null,
    set(key, answer) {
      answers.set(key, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= maxKeys) break;
        answers.delete(oldest);
      }
    },
  };
}

/** What both `pg` and others have. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What {@link postgresStore} needs. Old rows may be deleted by `handled_at`. */
export const POSTGRES_TABLE = `CREATE TABLE IF NOT EXISTS handled_publish (
  idempotency_key text PRIMARY KEY,
  answer text NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now()
)`;

/** In the table of {@link POSTGRES_TABLE}. */
export function postgresStore(client: PostgresClient): IdempotencyStore {
  return {
    async get(key) {
      const { rows } = await client.query('SELECT answer FROM handled_publish WHERE idempotency_key = $1', [key]);
      return (rows[0] as { answer: string } | undefined)?.answer ?? null;
    },
    set: (key, answer) =>
      client.query(
        `INSERT INTO handled_publish (idempotency_key, answer) VALUES ($1, $2)
         ON CONFLICT (idempotency_key) DO NOTHING`,
        [key, answer],
      ),
  };
}

/** A client of `redis` or of `ioredis`. */
export type RedisClient = { get(key: string): Promise<string | null> } & (
  | { setEx(key: string, seconds: number, value: string): Promise<unknown> }
  | { setex(key: string, seconds: number, value: string): Promise<unknown> }
);

/** In Redis, for a week. */
export function redisStore(client: RedisClient, { prefix = 'blog-webhook:' } = {}): IdempotencyStore {
  return {
    get: (key) => client.get(prefix + key),
    set: (key, answer) =>
      'setEx' in client ? client.setEx(prefix + key, WEEK_S, answer) : client.setex(prefix + key, WEEK_S, answer),
  };
}

/** A namespace of Workers KV. */
export interface KvNamespace {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<unknown>;
}

/** In Workers KV, for a week. */
export function kvStore(namespace: KvNamespace, { prefix = 'blog-webhook:' } = {}): IdempotencyStore {
  return {
    get: (key) => namespace.get(prefix + key),
    set: (key, answer) => namespace.put(prefix + key, answer, { expirationTtl: WEEK_S }),
  };
}
