import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinToLoadCore } from '../processes/cores.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureFairness, measureHookFairness } from './measure-fairness.ts';
import { measureFanOut } from './measure-fan-out.ts';
import { measureIsolation } from './measure-isolation.ts';
import { measureLatency } from './measure-latency.ts';
import { measureRestart } from './measure-restart.ts';
import { startDispatchSetUp, type DispatchSetUp } from './start-dispatcher.ts';

/** No window that a latency would be measured with. */
const HOOKS_AT_ONCE = { DEPLOY_HOOK_QUIET_MS: '0', DEPLOY_HOOK_MAX_WAIT_MS: '0' };

export interface BenchDispatchOptions {
  readonly rounds: number;
  readonly eventLogs: readonly ('postgres' | 'kafka')[];
  /**
   * Measures only the parts whose names hold this: `fan-out`, `latency`, `isolation`, `fairness`, `backlog`, `restart`.
   */
  readonly only: string | undefined;
  /** The server that the machine's packages have installed, as for `startPostgres`. */
  readonly installed: boolean;
}

/**
 * Measures webhook-dispatcher: a burst against bare loops, latency, what a hanging receiver and a hostile project cost,
 * a long queue, a crash in a burst.
 */
export async function benchDispatch({ rounds, eventLogs, only, installed }: BenchDispatchOptions): Promise<void> {
  const cores = pinToLoadCore();
  console.log(
    `dispatch: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}` +
      (cores === null
        ? ''
        : `\nwebhook-dispatcher and its PostgreSQL share core ${cores.server}; load, receivers and all else share core ${cores.load}.`),
  );
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  const part = async (
    name: string,
    measure: (setUp: DispatchSetUp) => Promise<void>,
    eventLog: 'postgres' | 'kafka' = 'postgres',
    environment: Readonly<Record<string, string>> = {},
  ) => {
    if (only !== undefined && !name.includes(only)) return;
    await using setUp = await startDispatchSetUp({ cores, folder, eventLog, installed, environment });
    await measure(setUp);
  };
  try {
    await part('fan-out', (setUp) => measureFanOut(setUp, { cores, rounds }));
    for (const eventLog of eventLogs) {
      await part('latency', (setUp) => measureLatency(setUp, { cores, folder, eventLog, installed }), eventLog);
    }
    await part('isolation', measureIsolation);
    await part('fairness', measureFairness);
    await part('fairness of deploy hooks', measureHookFairness, 'postgres', HOOKS_AT_ONCE);
    await part('backlog', measureBacklog);
    await part('restart', measureRestart);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
