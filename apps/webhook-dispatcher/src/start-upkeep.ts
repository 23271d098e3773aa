import { repeat, type ServiceContext } from '@blog-content/service-runtime';
import type { Config } from './config.ts';
import type { TestRequestStore } from './connection-tests/test-request-store.ts';
import type { Database } from './database/open-database.ts';
import { createSweepLogStore } from './delivery-log/sweep-log-store.ts';
import { startLogSweeper } from './delivery-log/sweep-log.ts';
import { HEALING_POLL_MS, HEALING_READ_EVERY_MS, startLinkHealing } from './link-healing/start-link-healing.ts';
import { purgeEvents } from './planning/purge-store.ts';
import { replaceDisplaced } from './redelivery/displaced-store.ts';
import type { RedeliveryStore } from './redelivery/redelivery-store.ts';
import { clearRetiredIntegrations } from './queue/waiting-store.ts';

const PURGE_INTERVAL_MS = 10 * 60_000;
/** How often it is looked whether something waits for receivers that are gone. */
const CLEAR_INTERVAL_MS = 10_000;
/** How often it is looked whether posts may have the slugs now that they were asked to have. */
const REPLACE_INTERVAL_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

export interface UpkeepParts extends Pick<ServiceContext, 'logger' | 'resources'> {
  readonly config: Config;
  readonly database: Database;
  readonly now: () => Date;
  readonly tests: Pick<TestRequestStore, 'endAbandoned'>;
  readonly redeliveries: Pick<RedeliveryStore, 'redeliver'>;
  /** Aborted when what runs must end. */
  readonly ending: AbortSignal;
}

/** Starts what the database needs done now and then: links are healed, and what is no longer needed goes. */
export function startUpkeep(parts: UpkeepParts): void {
  const { resources, config, database, tests, redeliveries, now, ending, logger } = parts;
  const linkHealing = startLinkHealing(
    {
      pollMs: HEALING_POLL_MS,
      readEveryMs: HEALING_READ_EVERY_MS,
      quietMs: config.LINK_HEALING_QUIET_MS,
      perHour: config.LINK_HEALING_PER_HOUR,
    },
    { database, logger },
  );
  resources.defer(() => linkHealing.stop());
  const logSweeper = startLogSweeper({
    store: createSweepLogStore(database),
    endAbandonedTests: () => tests.endAbandoned(),
    keepMs: config.DELIVERY_LOG_DAYS * DAY_MS,
    now,
    stopping: ending,
    logger,
  });
  resources.defer(() => logSweeper.stop());
  const clear = () => clearRetiredIntegrations(database, ending);
  const clearing = repeat('integration.clear', CLEAR_INTERVAL_MS, clear, logger);
  resources.defer(() => clearing.stop());
  const replace = () => replaceDisplaced(database, redeliveries);
  const replacing = repeat('destination.replace', REPLACE_INTERVAL_MS, replace, logger);
  resources.defer(() => replacing.stop());
  const purge = repeat('delivery.purge', PURGE_INTERVAL_MS, () => purgeEvents(database, ending), logger);
  resources.defer(() => purge.stop());
}
