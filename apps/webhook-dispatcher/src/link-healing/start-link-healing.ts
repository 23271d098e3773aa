import { type Logger, repeat, type Repetition } from '@blog-content/service-runtime';
import type { Database } from '../database/open-database.ts';
import { BEFORE_ALL } from '../queue/claim-statements.ts';
import { createHealingStore, type HealingRules, MAX_PROJECTS_A_ROUND } from './healing-store.ts';
import { createLinkViewStore, MAX_PROJECTS_READ } from './link-view-store.ts';

const POLL_INTERVAL_MS = 1_000;
/** How often what is known of a project is compared with what was planned for it. */
const READ_AGAIN_MS = 10 * 60_000;
/** Most parts of one project that are read, or forgotten, in a round. */
const MAX_PARTS = 25;

export interface LinkHealingSettings extends HealingRules {
  /** How often to look; a second when left out. In milliseconds. */
  readonly pollMs?: number;
}

/**
 * Sends posts again when what they link to was published, unpublished or moved (ADR 21), to the receivers whose owners
 * want that. Projects have turns, a bounded part of their work each, so that none waits for all of another's. A project
 * whose turn fails is logged; the others have theirs.
 */
export function startLinkHealing(
  { pollMs = POLL_INTERVAL_MS, ...rules }: LinkHealingSettings,
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
  const heal = async (projectId: string) => {
    const { sent, waiting, dropped } = await healings.heal(projectId, rules);
    if (sent + waiting + dropped === 0) return;
    logger.info('link_healing.planned', { project_id: projectId, deliveries: sent, waiting, dropped });
  };

  let knownBehind = BEFORE_ALL;
  let readBehind = BEFORE_ALL;
  let behind = BEFORE_ALL;
  const round = async () => {
    const known = await views.known(knownBehind);
    knownBehind = nextBehind(idsOf(known), MAX_PROJECTS_READ);
    const over = known.filter(({ isOver }) => isOver);
    await each(idsOf(over), (projectId) => inParts(() => views.forgetNext(projectId)));
    const toRead = await views.toRead(readBehind, READ_AGAIN_MS);
    readBehind = nextBehind(toRead, MAX_PROJECTS_READ);
    await each(toRead, (projectId) => inParts(() => views.readNext(projectId)));
    const projectIds = await healings.projectsBehind(behind, rules);
    behind = nextBehind(projectIds, MAX_PROJECTS_A_ROUND);
    await each(projectIds, heal);
  };
  const rounds = repeat('link_healing', pollMs, round, logger);
  return {
    stop() {
      stopping.abort();
      return rounds.stop();
    },
  };
}

const idsOf = (projects: readonly { readonly id: string }[]): string[] => projects.map(({ id }) => id);

/**
 * Behind which project the next round goes on: after as many as a round takes the last of them, else from the
 * beginning.
 */
function nextBehind(projectIds: readonly string[], maxOfRound: number): string {
  return (projectIds.length === maxOfRound && projectIds.at(-1)) || BEFORE_ALL;
}
