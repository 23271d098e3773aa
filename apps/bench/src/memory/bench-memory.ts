import { setTimeout as pause } from 'node:timers/promises';
import { startKafka, startPostgres } from '@blog-content/local-infrastructure';
import {
  createLocalSettings,
  startLocalServices,
  type AssembledServices,
  type LocalServices,
} from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { proportionalMib, residentMib } from '../processes/process-usage.ts';
import { verdict } from '../read/ratio-table.ts';
import { assembleServices } from './assemble.ts';

const NEED_MIB = 90;
type EventLogKind = 'postgres' | 'kafka';

/** Prints what each service takes of the memory while nobody asks it for anything, on each event log. */
export async function benchMemory(options: { idleS: number; eventLogs: readonly EventLogKind[] }): Promise<void> {
  console.log(
    `memory: what images have, ${options.idleS} s after all were ready; ` +
      `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
  );
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  console.error('· building and assembling the services …');
  const assembled = assembleServices(join(folder, 'images'));
  for (const eventLog of options.eventLogs) await measure(eventLog, assembled, join(folder, eventLog), options.idleS);
}

async function measure(
  eventLog: EventLogKind,
  assembled: AssembledServices,
  folder: string,
  idleS: number,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  console.error(`· ${eventLog}: starting the stack …`);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), databaseUrl: '', disposable: true });
  resources.defer(() => postgres.stop());
  const kafka =
    eventLog === 'kafka' ? await startKafka({ dataDir: join(folder, 'kafka'), disposable: true }) : undefined;
  if (kafka) resources.defer(() => kafka.stop());
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    ...(kafka && { kafkaBrokers: kafka.brokers }),
    settings: await createLocalSettings(),
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
    assembled,
    environment: { all: { NODE_ENV: 'production' } },
  });
  resources.defer(() => local.stop());
  await pause(idleS * 1_000);
  printTable(eventLog, local.services);
}

function printTable(eventLog: EventLogKind, services: LocalServices['services']): void {
  const cells = (name: string, mib: readonly string[]) =>
    name.padEnd(40) + mib.map((cell) => cell.padStart(10)).join('');
  console.log(`\nevent log: ${eventLog === 'kafka' ? 'Apache Kafka' : 'PostgreSQL'}`);
  console.log(cells('MiB', ['PSS', 'resident']));
  for (const name of serviceNames) console.log(rowOf(name, services[name].pid ?? 0));

  function rowOf(name: ServiceName, pid: number): string {
    const taken = proportionalMib(pid);
    const row = cells(name, [taken.toFixed(1), residentMib(pid).toFixed(1)]);
    return `${row}  need PSS ≤ ${NEED_MIB}  ${verdict(taken <= NEED_MIB)}`;
  }
}
