import { createBatcher } from '@blog-content/concurrency';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Logger } from '@blog-content/service-runtime';
import type { Database, QueuePool } from '../database/open-database.ts';
import { defineRows, defineStatement } from '../database/statement.ts';
import { fingerprint } from '../integrations/integration-secrets.ts';

/** Most of a body that the delivery log keeps, in bytes. */
export const MAX_KEPT_BODY_BYTES = 256 * 1024;

/** Bodies of the last while that are known to be kept, so that the receivers of one publish cost one write. */
const REMEMBERED = 1_000;
const REMEMBERED_MS = 10 * 60_000;

/** Bodies that are written by one statement at most. */
const MAX_BATCH = 20;
/** Larger ones are packed, in another thread. Packing small ones would take longer than sending them. */
const KEPT_AS_IT_IS_BYTES = 64 * 1024;
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const givenBodies = defineRows('given', { hash: 'text', body: 'bytea', is_packed: 'boolean' });
const keepBodies = defineStatement<unknown>(
  'keep_bodies',
  `WITH kept AS (
     INSERT INTO sent_body (hash, body, is_packed) SELECT hash, body, is_packed FROM ${givenBodies.from} ORDER BY hash
     ON CONFLICT (hash) DO UPDATE SET stored_at = now()
   )
   SELECT set_config('synchronous_commit', 'off', true)`,
);

/** Bodies as they were sent, each kept once. */
export type SentBodyStore = ReturnType<typeof createSentBodyStore>;

/** @param now milliseconds of a clock that does not go back. */
export function createSentBodyStore(
  database: Database,
  pool: QueuePool,
  logger: Logger,
  now: () => number = () => performance.now(),
) {
  const fingerprints = new WeakMap<Uint8Array, string>();
  const known = new Map<string, { readonly kept: Promise<string | null>; readonly untilMs: number }>();

  const { add: insert } = createBatcher<
    { readonly hash: string; readonly bytes: Uint8Array; readonly isPacked: boolean },
    void
  >({
    maxSize: MAX_BATCH,
    keyOf: ({ hash }) => hash,
    async run(bodies) {
      // One that is there already counts as new: the clean-up goes by when it was last sent. Nobody waits for the disk:
      // should a crash of the database's machine take the last bodies along, the log shows their attempts without them.
      const rows = bodies.map(({ hash, bytes, isPacked }) => ({ hash, body: bytes, is_packed: isPacked }));
      await keepBodies.run(pool, givenBodies.parameters(rows));
      return bodies.map(() => undefined);
    },
  });

  const write = async (hash: string, body: Uint8Array): Promise<string | null> => {
    try {
      const kept = body.subarray(0, MAX_KEPT_BODY_BYTES);
      const isPacked = kept.byteLength > KEPT_AS_IT_IS_BYTES;
      await insert({ hash, bytes: isPacked ? await deflate(kept) : kept, isPacked });
      return hash;
    } catch (error) {
      // The attempt itself is recorded with patience; its body is only for reading it up.
      logger.warn('delivery.body_not_kept', { error });
      // The database may have come back without the last ones.
      known.clear();
      return null;
    }
  };

  return {
    /** Keeps the body and resolves to its fingerprint; null when the database did not take it. Never rejects. */
    keep(body: Uint8Array): Promise<string | null> {
      const hash = fingerprints.get(body) ?? fingerprint(body);
      fingerprints.set(body, hash);
      const found = known.get(hash);
      if (found !== undefined && found.untilMs > now()) return found.kept;
      known.delete(hash);
      const kept = write(hash, body);
      known.set(hash, { kept, untilMs: now() + REMEMBERED_MS });
      for (const oldest of known.keys()) {
        if (known.size <= REMEMBERED) break;
        known.delete(oldest);
      }
      return kept;
    },

    /**
     * The kept beginnings by fingerprint, at most {@link MAX_KEPT_BODY_BYTES} of each; those no longer kept are left
     * out.
     */
    async load(fingerprints: readonly string[]): Promise<Map<string, Uint8Array>> {
      const rows = await database.sentBody.findMany({
        where: { hash: { in: [...new Set(fingerprints)] } },
        select: { hash: true, body: true, isPacked: true },
      });
      const unpacked = rows.map(async ({ hash, body, isPacked }) => {
        const bytes = isPacked ? await inflate(body, { maxOutputLength: MAX_KEPT_BODY_BYTES }) : body;
        return [hash, bytes] as const;
      });
      return new Map(await Promise.all(unpacked));
    },
  };
}
