import { freePort } from '@blog-content/local-infrastructure';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endGroup, run, untilItAnswers } from './processes.ts';

const VERSION = '6.65.0';
/** Ghost's database driver does not build for later ones. */
const NODE = `node-${process.platform}-${process.arch}`;
const NODE_MAJOR = '22';
const PASSWORD = 'Only-for-tests-42-and-nothing-else';

/** What a test needs of a Ghost. */
export interface StartedGhost {
  readonly url: string;
  readonly admin: string;
  readonly adminApiKey: string;
  /** Of its owner's session in a browser. */
  readonly cookie: string;
}

/** Starts a Ghost with a database of its own, in `folder`; installs it first, once on each machine (three minutes). */
export async function startGhost(
  folder: string,
  resources: AsyncDisposableStack,
  cache: string,
): Promise<StartedGhost> {
  const { app, node } = await install(join(cache, `ghost-${VERSION}`));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const content = join(folder, 'content');
  await mkdir(folder, { recursive: true });
  await cp(join(app, 'content'), content, { recursive: true, dereference: true });
  const settings = {
    url,
    server__host: '127.0.0.1',
    server__port: String(port),
    database__client: 'better-sqlite3',
    database__connection__filename: join(folder, 'ghost.db'),
    database__useNullAsDefault: 'true',
    mail__transport: 'Direct',
    logging__level: 'error',
    logging__path: folder,
    // No mail could be sent, and nothing outside of this machine is to be asked.
    security__staffDeviceVerification: 'false',
    privacy__useUpdateCheck: 'false',
    privacy__useGravatar: 'false',
    privacy__useRpcPing: 'false',
    privacy__useStructuredData: 'false',
    paths__contentPath: content,
  };
  const child = spawn(node, ['index.js'], {
    // It reads its own package.json there.
    cwd: app,
    // Not the options of the Node that runs this.
    env: { ...process.env, ...settings, NODE_ENV: 'production', NODE_OPTIONS: '' },
    stdio: 'ignore',
    detached: true,
  });
  resources.defer(() => endGroup(child));
  await untilItAnswers(`${url}/ghost/api/admin/site/`, child);
  return { url, admin: `${url}/ghost/api/admin`, ...(await setUp(url)) };
}

async function install(home: string): Promise<{ app: string; node: string }> {
  const app = join(home, 'package');
  const tools = join(home, 'tools');
  const nodeFolder = join(tools, 'node_modules', NODE);
  const node = join(nodeFolder, 'bin/node');
  const done = join(home, 'installed');
  if (existsSync(done)) return { app, node };
  await mkdir(tools, { recursive: true });
  await run('npm', ['pack', `ghost@${VERSION}`], { cwd: home });
  await run('tar', ['-xzf', `ghost-${VERSION}.tgz`], { cwd: home });
  const { packageManager = 'pnpm' } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8')) as {
    packageManager?: string;
  };
  // The version that it names, which any other would fetch: `pnpm@1.2.3+hash`.
  const [pnpm = 'pnpm'] = packageManager.split('+');
  await writeFile(join(tools, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', `${NODE}@${NODE_MAJOR}`, pnpm], { cwd: tools });
  await run(join(tools, 'node_modules/.bin/pnpm'), ['install', '--prod', '--frozen-lockfile'], {
    cwd: app,
    env: {
      ...process.env,
      PATH: `${join(nodeFolder, 'bin')}:${process.env['PATH'] ?? ''}`,
      // Its headers are there: the driver is compiled.
      npm_config_nodedir: nodeFolder,
    },
  });
  await writeFile(done, '');
  return { app, node };
}

/** Sets Ghost up as its first visitor does, and makes a custom integration. */
async function setUp(url: string): Promise<Pick<StartedGhost, 'adminApiKey' | 'cookie'>> {
  const owner = { email: 'owner@example.com', password: PASSWORD };
  let cookie = '';
  const call = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await fetch(`${url}/ghost/api/admin${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Ghost answered ${answer.status} to ${path}: ${text.slice(0, 300)}`);
    cookie =
      answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ') || cookie;
    return (text.startsWith('{') ? JSON.parse(text) : null) as T;
  };
  await call('/authentication/setup/', { setup: [{ name: 'Owner', ...owner, blogTitle: 'Tests' }] });
  await call('/session/', { username: owner.email, password: owner.password });
  const { integrations } = await call<{ integrations: [{ api_keys: { type: string; id: string; secret: string }[] }] }>(
    '/integrations/?include=api_keys',
    { integrations: [{ name: 'Tests' }] },
  );
  const key = integrations[0].api_keys.find(({ type }) => type === 'admin');
  if (key === undefined) throw new Error('Ghost did not create an Admin API key.');
  return { adminApiKey: key.secret.includes(':') ? key.secret : `${key.id}:${key.secret}`, cookie };
}
