import { type Logger, repeat, type Repetition } from '@blog-content/service-runtime';
import type { Database } from '../database/open-database.ts';
import { BEFORE_ALL } from '../queue/claim-statements.ts';
import { createHealingStore, type HealingRules } from './healing-store.ts';
import { createLinkViewStore, MAX_PROJECTS_KNOWN } from './link-view-store.ts';

export const HEALING_POLL_MS = 2_000;
export const HEALING_READ_EVERY_MS = 10_000;
/** How often what is known of a project is compared with what was planned for it. */
const READ_AGAIN_MS = 10 * 60_000;
/** Most parts of one project that are read, or forgotten, in a round. */
const MAX_PARTS = 25;

export interface LinkHealingSettings extends HealingRules {
  /** How often to look, in milliseconds. */
  readonly pollMs: number;
  /** How often to look for projects whose links are not known yet, or need not be any longer, in milliseconds. */
  readonly readEveryMs: number;
}

/**
 * Sends posts again when what they link to was published, unpublished or moved (ADR 21), to the receivers whose owners
 * want that. A round has a bounded part of the work of one project of each account, so that nobody waits for all of
 * another's. Nor does what is healed wait for what is read. A project whose work fails is logged, and does not stop the
 * others.
 */
export function startLinkHealing(
  { pollMs, readEveryMs, ...rules }: LinkHealingSettings,
  { database, logger }: { readonly database: Database; readonly logger: Logger },
): Repetition {
  const views = createLinkViewStore(database);
  const healings = createHealingStore(database);
  const stopping = new AbortController();

  const each = async (projectIds: readonly string[], work: (projectId: string) => Promise<unknown>) => {
    for (const projectId of projectIds) {
      if (stopping.signal.aborted) return;
      await work(projectId).catch((error: unknown) => {
        logger.warn('link_healing.project_failed', { project_id: projectId, error });
      });
    }
  };
  const inParts = async (part: () => Promise<boolean>) => {
    for (let parts = 0; parts < MAX_PARTS && !stopping.signal.aborted; parts += 1) if (await part()) return;
  };

  let knownBehind = BEFORE_ALL;
  const readRound = async () => {
    const known = await views.known(knownBehind);
    knownBehind = (known.length === MAX_PROJECTS_KNOWN && known.at(-1)?.id) || BEFORE_ALL;
    const over = known.filter(({ isOver }) => isOver).map(({ id }) => id);
    await each(over, (projectId) => inParts(() => views.forgetNext(projectId)));
    await each(await views.toRead(READ_AGAIN_MS), (projectId) => inParts(() => views.readNext(projectId)));
  };

  const healRound = async () => {
    let done: number;
    do {
      done = 0;
      await each(await healings.dueProjects(rules), async (projectId) => {
        const { sent, waiting, dropped } = await healings.heal(projectId, rules);
        if (sent + waiting + dropped === 0) return;
        done += sent + dropped;
        logger.info('link_healing.planned', { project_id: projectId, deliveries: sent, waiting, dropped });
      });
      // What waits for a delivery under way is looked at again later.
    } while (done > 0);
  };

  const rounds = [
    repeat('link_healing.read', readEveryMs, readRound, logger),
    repeat('link_healing', pollMs, healRound, logger),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(rounds.map((round) => round.stop()));
    },
  };
}
