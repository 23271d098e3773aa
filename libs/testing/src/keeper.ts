// Keeps one PostgreSQL and one Kafka for all test processes of this checkout that were given none. A connection to its
// socket is a claim on the servers; the kernel ends the claims of a process that is gone, however it went. When the last
// claim has ended, the keeper stops the servers, deletes what they wrote, and exits.
import { chmod, mkdir, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startKafka, startPostgres } from '@blog-content/local-infrastructure';
import { keeperFolder, keeperLog, keeperSocket, type KeeperAnswer, type KeptServer } from './keeper-protocol.ts';
import { disposableFolder, testPostgresSettings } from './disposable-servers.ts';

/** Long enough for the next test process of a run to claim the servers before they go. */
const idleMs = 1_500;
const firstClaimMs = 15_000;

const releases: (() => Promise<void>)[] = [];
const started = new Map<KeptServer, Promise<readonly string[]>>();
const claims = new Set<Socket>();
let idleTimer: NodeJS.Timeout;

// Ctrl-C is for the tests: when they end, their claims do.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const server = await listen();
if (server === undefined) process.exit(0);
process.on('SIGTERM', () => void shutDown(server));
scheduleShutDown(server, firstClaimMs);

async function listen(): Promise<Server | undefined> {
  for (;;) {
    await mkdir(keeperFolder(), { recursive: true });
    await chmod(keeperFolder(), 0o711);
    const candidate = createServer((socket) => claim(candidate, socket));
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    candidate.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    candidate.listen(keeperSocket(), () => resolve(undefined));
    const failure = await promise;
    if (failure === undefined) return candidate;
    if (failure === 'EADDRINUSE') {
      if (await someoneListens()) return undefined;
      await rm(keeperSocket(), { force: true });
    } else if (failure !== 'ENOENT') {
      throw new Error(`The keeper of the test servers cannot listen on ${keeperSocket()}: ${failure}`);
    }
  }
}

async function someoneListens(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(keeperSocket(), () => resolve(true));
  socket.on('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

function claim(from: Server, socket: Socket): void {
  claims.add(socket);
  clearTimeout(idleTimer);
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('close', () => {
    claims.delete(socket);
    if (claims.size === 0) scheduleShutDown(from, idleMs);
  });
  socket.once('data', (line) => void answer(String(line).trim() as KeptServer, socket));
}

async function answer(wanted: KeptServer, socket: Socket): Promise<void> {
  let starting = started.get(wanted);
  if (starting === undefined) {
    starting = wanted === 'kafka' ? keepKafka() : keepPostgres();
    started.set(wanted, starting);
  }
  const result: KeeperAnswer = await starting.then(
    (values) => ({ ok: true, values }),
    (error: unknown) => ({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
  socket.write(`${JSON.stringify(result)}\n`);
}

async function keepPostgres(): Promise<readonly string[]> {
  const postgres = await startPostgres({
    dataDir: await disposableFolder('postgres'),
    databaseUrl: '',
    settings: testPostgresSettings,
    disposable: true,
  });
  releases.push(() => postgres.stop());
  return [postgres.url('postgres')];
}

async function keepKafka(): Promise<readonly string[]> {
  const kafka = await startKafka({ dataDir: await disposableFolder('kafka'), brokers: [], disposable: true });
  releases.push(() => kafka.stop());
  return kafka.brokers;
}

function scheduleShutDown(from: Server, afterMs: number): void {
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => void shutDown(from), afterMs);
}

async function shutDown(from: Server): Promise<void> {
  from.close();
  await Promise.allSettled(started.values());
  await Promise.allSettled(releases.map((release) => release()));
  await rm(keeperLog(), { force: true });
  await rmdir(keeperFolder()).catch(() => undefined);
  process.exit(0);
}
