import { repeat, type Logger } from '@blog-content/service-runtime';
import { MAX_ID, NIL_ID } from '../queries/change-log-statements.ts';
import type { ChangeLog, ChangeLogStore, PostPlace } from './change-log-store.ts';
import { workRoundRobin } from './work-round-robin.ts';

/** How long it is known what has changed, in milliseconds. Older positions are gone. */
export const CHANGES_KEPT_MS = 90 * 86_400_000;

const BEGIN_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 86_400_000;
const NEWEST: PostPlace = { publishedAt: 'infinity', id: MAX_ID };

export type ChangeLogKeeper = ReturnType<typeof createChangeLogKeeper>;

/** @param isStopping ends a round early */
export function createChangeLogKeeper(options: {
  readonly store: ChangeLogStore;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly isStopping?: () => boolean;
}) {
  const { store, logger, now, isStopping = () => false } = options;
  const onFailed = (projectId: string, error: unknown) =>
    logger.warn('change_log.project_failed', { project_id: projectId, error });

  return {
    /** Makes every log whole. */
    begin: (): Promise<boolean> =>
      store.alone('begin', (log) =>
        workRoundRobin(
          listAll((afterId) => log.listBroken(afterId)),
          (projectId) => beginLog(log, projectId),
          { onFailed, isStopping },
        ),
      ),

    /** Forgets what is older than {@link CHANGES_KEPT_MS}, and the links of deleted projects. */
    forget(): Promise<boolean> {
      // A project's version is not below the clock's milliseconds at its change.
      const before = now().getTime() - CHANGES_KEPT_MS;
      return store.alone('forget', async (log) => {
        await workRoundRobin(
          listAll((afterId) => log.listOld(afterId, before)),
          (projectId) => untilNone(() => log.forget(projectId, before)),
          { onFailed, isStopping },
        );
        await workRoundRobin(
          listAll((afterId) => log.listLinkedDeleted(afterId)),
          (projectId) => untilNone(() => log.dropLinks(projectId)),
          { onFailed, isStopping },
        );
      });
    },
  };
}

async function* listAll(list: (afterId: string) => Promise<string[]>): AsyncGenerator<string> {
  let after: string | undefined = NIL_ID;
  while (after !== undefined) {
    const ids: string[] = await list(after);
    yield* ids;
    after = ids.at(-1);
  }
}

/** A transaction at a time. */
async function* beginLog(log: ChangeLog, projectId: string): AsyncGenerator<void> {
  const version = await log.begin(projectId);
  if (version === null) return;
  // Earlier links may belong to posts that are not there any more.
  yield* untilNone(() => log.dropLinks(projectId));
  let upTo: PostPlace | null = NEWEST;
  while ((upTo = await log.addLinks(projectId, version, upTo)) !== null) yield;
  await log.finish(projectId, version);
}

async function* untilNone(step: () => Promise<number>): AsyncGenerator<void> {
  while ((await step()) > 0) yield;
}

/** Does both now, and repeats them: a rebuild and an older release leave logs that are not whole. */
export function startKeepingChangeLogs(options: {
  readonly store: ChangeLogStore;
  readonly logger: Logger;
  readonly now: () => Date;
}): { stop(): Promise<void> } {
  const { store, logger, now } = options;
  let isStopping = false;
  const keeper = createChangeLogKeeper({ store, logger, now, isStopping: () => isStopping });
  const repetitions = [
    repeat('change_log.begin', BEGIN_EVERY_MS, async () => void (await keeper.begin()), logger),
    repeat('change_log.forget', FORGET_EVERY_MS, async () => void (await keeper.forget()), logger),
  ];
  return {
    async stop() {
      isStopping = true;
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
    },
  };
}
