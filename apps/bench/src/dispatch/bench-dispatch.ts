import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinToLoadCore } from '../processes/cores.ts';
import { measureFanOut } from './measure-fan-out.ts';
import { measureIsolation } from './measure-isolation.ts';
import { measureLatency } from './measure-latency.ts';
import { measureRestart } from './measure-restart.ts';
import { startDispatchSetUp, type DispatchSetUp } from './start-dispatcher.ts';

export interface BenchDispatchOptions {
  readonly rounds: number;
  readonly eventLogs: readonly ('postgres' | 'kafka')[];
  /** Measures only the parts whose names hold this: `fan-out`, `latency`, `isolation`, `restart`. */
  readonly only: string | undefined;
  /** The server that the machine's packages have installed, as for `startPostgres`. */
  readonly installed: boolean;
}

/** Measures webhook-dispatcher: a burst against bare loops, latency, what a hanging receiver costs, a crash in a burst. */
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
  ) => {
    if (only !== undefined && !name.includes(only)) return;
    await using setUp = await startDispatchSetUp({ cores, folder, eventLog, installed });
    await measure(setUp);
  };
  try {
    await part('fan-out', (setUp) => measureFanOut(setUp, { cores, rounds }));
    for (const eventLog of eventLogs) {
      await part('latency', (setUp) => measureLatency(setUp, { cores, folder, eventLog, installed }), eventLog);
    }
    await part('isolation', measureIsolation);
    await part('restart', measureRestart);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
