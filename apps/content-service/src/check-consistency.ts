import { openEventLog } from '@blog-content/event-log';
import { sessionUrlOf, withAdvisoryLock } from '@blog-content/postgres';
import {
  commandEnvironment,
  ConfigError,
  createLogger,
  eventLogConfigFrom,
  EXIT_CONFIG,
  loadConfig,
} from '@blog-content/service-runtime';
import { z } from 'zod';
import { environment as serviceEnvironment } from './config.ts';
import { checkConsistency, type Summary } from './consistency/check-consistency.ts';
import { parseOptions, USAGE, type Options } from './consistency/options.ts';
import { createRepairStore, REPAIR_LOCK } from './consistency/repair/repair-store.ts';
import { describeFinding, type Finding } from './consistency/report.ts';
import { createContentSide } from './consistency/sides/content-side-store.ts';
import { createDispatcherSide } from './consistency/sides/dispatcher-side-store.ts';
import { openLogSide } from './consistency/sides/log-side.ts';
import { openSide } from './consistency/sides/open-side.ts';
import { createReadSide } from './consistency/sides/read-side-store.ts';
import { createSettle } from './consistency/sides/settle.ts';
import { openDatabase } from './platform/database/open-database.ts';

const environment = z.object({
  ...commandEnvironment,
  PUBLIC_READ_SERVICE_DATABASE_URL: commandEnvironment.DATABASE_URL,
  WEBHOOK_DISPATCHER_DATABASE_URL: commandEnvironment.DATABASE_URL,
});
const forRepair = environment.extend({ IMAGE_BASE_URL: serviceEnvironment.shape.IMAGE_BASE_URL });
const PROGRESS_EVERY_MS = 5_000;
const NAME = 'check-consistency';
const EXIT_FAILED = 3;

const say = (line: string) => process.stderr.write(`${line}\n`);
const print = (line: string) => process.stdout.write(`${line}\n`);

async function run(options: Options, env: Record<string, string | undefined>): Promise<number> {
  const given = { LOG_LEVEL: 'warn', ...env };
  const config = loadConfig(environment, given, NAME);
  // Read-only sessions and the lock of a repair need one server session per connection.
  const databaseUrl = sessionUrlOf(config);
  const imageBaseUrl = options.repairs ? loadConfig(forRepair, given, NAME).IMAGE_BASE_URL : null;
  const logger = createLogger(NAME, config.LOG_LEVEL);
  await using resources = new AsyncDisposableStack();
  const content = createContentSide(openSide(databaseUrl));
  resources.defer(() => content.close());
  const read = createReadSide(openSide(config.PUBLIC_READ_SERVICE_DATABASE_URL));
  resources.defer(() => read.close());
  const dispatcher = createDispatcherSide(openSide(config.WEBHOOK_DISPATCHER_DATABASE_URL));
  resources.defer(() => dispatcher.close());

  const check = async (store: ReturnType<typeof createRepairStore> | null): Promise<number> => {
    const eventLog = await openEventLog(eventLogConfigFrom(config, NAME), logger);
    resources.defer(() => eventLog.close());
    let events = 0;
    let shown = '';
    let lastSaid = performance.now();
    const progress = (line: string) => {
      if (performance.now() - lastSaid < PROGRESS_EVERY_MS) return;
      lastSaid = performance.now();
      say(line);
    };
    const onRead = (count: number) => {
      events += count;
      if (shown === '') progress(`Reading the log: ${events} events`);
    };
    const log = await openLogSide({ eventLog, content, logger, projectId: options.projectId, onRead });
    resources.defer(() => log.close());
    await log.catchUp();
    const monotonicMs = () => performance.now();
    const summary = await checkConsistency({
      sides: { content, read, dispatcher, log },
      settle: createSettle({ eventLog, content, log, monotonicMs }),
      repair: store && { store, tellsReceivers: options.tellsReceivers },
      projectId: options.projectId,
      progressFile: options.progressFile,
      monotonicMs,
      onFinding: (finding: Finding) => print(options.isJson ? JSON.stringify(finding) : describeFinding(finding)),
      onProgress({ projects, posts, found }) {
        shown = `Checked ${counted(projects, 'project')} and ${counted(posts, 'post')}: ${differ(found)}.`;
        progress(shown);
      },
    });
    if (options.isJson) print(JSON.stringify({ summary: { ...summary, events, repaired: options.repairs } }));
    say(describe(summary, options));
    return summary.remaining + summary.undecided === 0 ? 0 : 1;
  };

  if (imageBaseUrl === null) return await check(null);
  if (!(await content.hasProjects())) {
    throw new Error('content-service has no projects: a repair would remove everything. Check DATABASE_URL.');
  }
  const database = openDatabase(databaseUrl, 1, (error) => logger.warn('database.connection_lost', { error }));
  resources.defer(() => database.$disconnect());
  const locking = openSide(databaseUrl);
  resources.defer(() => locking.end());
  const store = createRepairStore(database, imageBaseUrl, () => new Date());
  const code = await withAdvisoryLock(locking, REPAIR_LOCK, () => check(store));
  if (code === null) throw new Error('Another repair is running.');
  return code;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const differ = (count: number) => (count === 0 ? 'nothing differs' : `${count} ${count === 1 ? 'differs' : 'differ'}`);

function describe(
  { projects, posts, found, undecided, remaining }: Summary,
  { repairs, tellsReceivers }: Options,
): string {
  const lines = [`Checked ${counted(projects, 'project')} and ${counted(posts, 'post')}: ${differ(found)}.`];
  if (undecided > 0) lines.push(`${undecided} could not be judged. Run again when the services have caught up.`);
  if (repairs && found > 0) {
    lines.push(`${Math.max(0, found - remaining)} repaired.`);
    const wayOut = tellsReceivers ? 'Run again.' : 'If only receivers have them, add --tell-receivers.';
    if (remaining > 0) lines.push(`${remaining} still ${remaining === 1 ? 'differs' : 'differ'}. ${wayOut}`);
  } else if (found > 0) lines.push('Add --repair to make content-service’s version true everywhere.');
  return lines.join('\n');
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else process.exitCode = await run(options, process.env);
} catch (error) {
  say((error as Error).message);
  if (error instanceof TypeError) say(`\n${USAGE}`);
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : error instanceof TypeError ? 2 : EXIT_FAILED;
}
