import { freePort } from '@blog-content/local-infrastructure';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_TRIES = 200;

/**
 * Runs `worker.mjs` with the packages installed in `project` in the runtime of Workers. @throws where it is not as it
 * should be
 */
export async function tryInWorkers(
  workerd: string,
  project: string,
  given: { readonly baseUrl: string; readonly body: string; readonly signature: string },
): Promise<void> {
  const port = await freePort();
  await copyFile(join(import.meta.dirname, 'worker.mjs'), join(project, 'worker.mjs'));
  await writeFile(join(project, 'workers.capnp'), await configuration(project, port));
  const runtime = spawn(workerd, ['serve', 'workers.capnp'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const origin = `http://127.0.0.1:${port}/`;
    const read = await untilUp(`${origin}?api=${encodeURIComponent(given.baseUrl)}`, () => runtime.exitCode === null);
    if (read !== 'e,d,c,b,a') throw new Error(`The client read ${read}.`);
    const post = (headers: Record<string, string>) => fetch(origin, { method: 'POST', body: given.body, headers });
    const statuses = [(await post({})).status, (await post({ 'x-webhook-signature': given.signature })).status];
    if (statuses.join() !== '401,200') throw new Error(`The receiver answered ${statuses.join(' and ')}.`);
  } finally {
    if (runtime.exitCode === null) {
      const ended = once(runtime, 'exit');
      runtime.kill();
      await ended;
    }
  }
}

/** What a bundler would do: every module by its name. */
async function configuration(project: string, port: number): Promise<string> {
  const modules = ['(name = "main.js", esModule = embed "worker.mjs")'];
  for (const name of ['client', 'receiver']) {
    const dist = `@blog-content/${name}/dist`;
    const files = await readdir(join(project, 'node_modules', dist), { recursive: true });
    for (const file of files.filter((path) => path.endsWith('.js') && !/\.main\.js$|^file-cache/.test(path))) {
      modules.push(`(name = "${dist}/${file}", esModule = embed "node_modules/${dist}/${file}")`);
    }
    modules.push(`(name = "@blog-content/${name}", esModule = "export * from './${name}/dist/index.js';")`);
  }
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (compatibilityDate = "2026-01-01", modules = [${modules.join(', ')}]);
`;
}

async function untilUp(url: string, isRunning: () => boolean): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (!isRunning() || tries === MAX_TRIES) throw error;
      await sleep(50);
    }
  }
}
