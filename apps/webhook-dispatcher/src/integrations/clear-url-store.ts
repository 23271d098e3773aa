import type { Database } from '../open-database.ts';
import type { IntegrationSecrets } from './integration-secrets.ts';
import { MASK, maskUrl } from './mask-url.ts';

/** Most rows that one call seals. */
const BATCH = 500;

/** What stands in the clear in every row: no more than an origin. */
const SHOWN = `^[a-z]+://[^/?#]+/?(${MASK})?$`;

/** URLs that an older release wrote, in the clear. */
export interface ClearUrlStore {
  /** Seals those of receivers, and forgets those of deleted ones. Returns how many there were, a bounded number. */
  sealClear(): Promise<number>;
}

export function createClearUrlStore(database: Database, secrets: Pick<IntegrationSecrets, 'sealUrl'>): ClearUrlStore {
  return {
    async sealClear() {
      const clear = await database.$queryRaw<{ id: string; url: string; is_deleted: boolean }[]>`
        SELECT id::text, url, deleted_at IS NOT NULL AS is_deleted FROM integration
        WHERE sealed_url IS NULL AND url !~ ${SHOWN} ORDER BY position LIMIT ${BATCH}`;
      for (const { id, url, is_deleted } of clear) {
        await database.integration.updateMany({
          // It may have been saved meanwhile, and is sealed then.
          where: { id, shownUrl: url, sealedUrl: null },
          data: is_deleted ? { shownUrl: maskUrl(url) } : secrets.sealUrl(id, url),
        });
      }
      return clear.length;
    },
  };
}
