import { repeat, type Logger } from '@blog-content/service-runtime';
import type { ChangeLogStore } from './change-log-store.ts';

/** How long it is known what has changed, in milliseconds. Older positions are gone. */
export const CHANGES_KEPT_MS = 90 * 86_400_000;

const BEGIN_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 86_400_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Does what is to be done now, a small transaction at a time. */
export interface ChangeLogKeeper {
  /** Makes each log whole that is not. */
  begin(): Promise<void>;
  /** Forgets what is older than {@link CHANGES_KEPT_MS}. */
  forget(): Promise<void>;
}

/** @param isStopping ends a round early */
export function createChangeLogKeeper(options: {
  readonly store: ChangeLogStore;
  readonly now: () => Date;
  readonly isStopping?: () => boolean;
}): ChangeLogKeeper {
  const { store, now, isStopping = () => false } = options;

  async function forEach(list: (afterId: string) => Promise<string[]>, work: (id: string) => Promise<void>) {
    let after: string | undefined = NO_ID;
    while (after !== undefined && !isStopping()) {
      const ids: string[] = await list(after);
      for (const id of ids) if (!isStopping()) await work(id);
      after = ids.at(-1);
    }
  }

  return {
    begin: () =>
      forEach(
        (afterId) => store.listBroken(afterId),
        async (projectId) => {
          const begun = await store.begin(projectId);
          if (begun === null) return;
          let upTo = await store.addLinks(projectId, { publishedAt: 'infinity', id: LAST_ID });
          while (upTo !== null && !isStopping()) upTo = await store.addLinks(projectId, upTo);
          if (upTo === null) await store.finish(projectId, begun);
        },
      ),

    forget() {
      // A project's version is not below the clock's milliseconds at its change.
      const before = now().getTime() - CHANGES_KEPT_MS;
      return forEach(
        (afterId) => store.listOld(afterId, before),
        async (projectId) => {
          while (!isStopping() && (await store.forget(projectId, before)) > 0);
        },
      );
    },
  };
}

/** Does both at once, and again: a rebuild and an older release leave logs to be begun. */
export function startKeepingChangeLogs(options: {
  readonly store: ChangeLogStore;
  readonly logger: Logger;
  readonly now: () => Date;
}): { stop(): Promise<void> } {
  const { store, logger, now } = options;
  let isStopping = false;
  const keeper = createChangeLogKeeper({ store, now, isStopping: () => isStopping });
  const repetitions = [
    repeat('change_log.begin', BEGIN_EVERY_MS, () => keeper.begin(), logger),
    repeat('change_log.forget', FORGET_EVERY_MS, () => keeper.forget(), logger),
  ];
  return {
    async stop() {
      isStopping = true;
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
    },
  };
}
