import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keeperFolder, keeperLog, keeperSocket, type KeeperAnswer, type KeptServer } from './keeper-protocol.ts';

/** Starting Kafka may include fetching it. */
const timeoutMs = 180_000;

const claimed = new Map<KeptServer, Promise<readonly string[]>>();

/**
 * Claims a server of this checkout's keeper (see keeper.ts) until this process ends, starting the keeper when there is
 * none. Throws with the keeper's explanation when the server cannot be had.
 */
export function claimServer(wanted: KeptServer): Promise<readonly string[]> {
  let claim = claimed.get(wanted);
  if (claim === undefined) {
    claim = claimFromKeeper(wanted);
    claimed.set(wanted, claim);
  }
  return claim;
}

async function claimFromKeeper(wanted: KeptServer): Promise<readonly string[]> {
  const deadline = Date.now() + timeoutMs;
  let spawnAgainAt = 0;
  let keeperFailed = false;
  while (Date.now() < deadline) {
    const socket = await tryConnect();
    if (socket === undefined) {
      if (keeperFailed) {
        throw new Error(`The test servers could not be started:\n${await readFile(keeperLog(), 'utf8')}`);
      }
      if (Date.now() >= spawnAgainAt) {
        spawnKeeper(() => (keeperFailed = true));
        spawnAgainAt = Date.now() + 5_000;
      }
      await sleep(50);
      continue;
    }
    const answer = await ask(socket, wanted);
    // Without an answer, the keeper was just going: the next one will answer.
    if (answer === undefined) continue;
    if (!answer.ok) throw new Error(answer.message);
    return answer.values;
  }
  throw new Error(`No test ${wanted} within ${timeoutMs / 1000} s.`);
}

async function tryConnect(): Promise<Socket | undefined> {
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const socket = connect(keeperSocket(), () => resolve(socket));
  socket.on('error', () => resolve(undefined));
  return promise;
}

async function ask(socket: Socket, wanted: KeptServer): Promise<KeeperAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<KeeperAnswer | undefined>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += String(chunk);
    if (text.endsWith('\n')) resolve(JSON.parse(text) as KeeperAnswer);
  });
  socket.on('close', () => resolve(undefined));
  socket.write(`${wanted}\n`);
  const answer = await promise;
  // The open connection is the claim; it must not keep the process alive.
  if (answer?.ok) socket.unref();
  else socket.destroy();
  return answer;
}

function spawnKeeper(onFailure: () => void): void {
  const extension = extname(import.meta.filename);
  const fromSources = extension === '.ts' ? ['--conditions=@blog-content/source'] : [];
  const env = { ...process.env };
  for (const name of ['DATABASE_URL', 'KAFKA_BROKERS', 'NODE_OPTIONS']) delete env[name];
  mkdirSync(keeperFolder(), { recursive: true });
  const log = openSync(keeperLog(), 'a');
  const keeper = spawn(
    process.execPath,
    [...fromSources, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, `keeper${extension}`)],
    { cwd: '/', env, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  keeper.on('error', onFailure);
  keeper.on('exit', (code) => {
    if (code !== 0) onFailure();
  });
  keeper.unref();
}
