import { sign } from '@blog-content/signing';
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { conversation } from '../test/vectors.ts';

const { secret, site_url, requests } = conversation;
const examples = join(import.meta.dirname, '../../../examples');

interface Language {
  readonly program: string;
  /** Its command in the folder that it may write to; posts go to `posts` there. */
  command(folder: string): Promise<readonly string[]>;
}
const options = ['--port', '0', '--max-age', '0', '--site-url', site_url, '--folder'];
const languages: Readonly<Record<string, Language>> = {
  'receiver.py': {
    program: 'python3',
    command: (folder) => Promise.resolve(['python3', join(examples, 'receiver.py'), ...options, join(folder, 'posts')]),
  },
  'receiver.go': {
    program: 'go',
    async command(folder) {
      const binary = join(folder, 'receiver');
      await promisify(execFile)('go', ['build', '-o', binary, join(examples, 'receiver.go')]);
      return [binary, ...options, join(folder, 'posts')];
    },
  },
  'receiver.php': {
    program: 'php',
    command: () => Promise.resolve(['php', '-S', '127.0.0.1:0', join(examples, 'receiver.php')]),
  },
};
const has = ({ program }: Language) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-languages-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('has signatures in the vectors that libs/signing makes, where a request is to be taken', () => {
  for (const { body_utf8, signature, status } of requests) {
    expect(signature === sign(Buffer.from(body_utf8), secret)).toBe(status !== 401);
  }
});

for (const [name, language] of Object.entries(languages)) {
  // In CI a program that is missing fails its tests.
  const describeWithProgram = has(language) || process.env['CI'] ? describe : describe.skip;
  describeWithProgram(`examples/${name}`, () => suite(name, language));
}

function suite(name: string, language: Language): void {
  let receiver: ChildProcess;
  let origin: string;
  let own: string;

  beforeAll(async () => {
    own = await mkdtemp(join(folder, name));
    const [program, ...args] = await language.command(own);
    const environment = {
      PATH: process.env['PATH'],
      WEBHOOK_SECRET: secret,
      POSTS_FOLDER: join(own, 'posts'),
      SITE_URL: site_url,
      MAX_AGE_SECONDS: '0',
    };
    receiver = spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment });
    for await (const line of createInterface({ input: receiver.stderr! })) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url === undefined) continue;
      origin = url;
      break;
    }
    receiver.stderr!.resume();
    if (origin === undefined) throw new Error(`${name} ended before it listened.`);
  });
  afterAll(async () => {
    if (receiver?.exitCode !== null) return;
    const ended = once(receiver, 'exit');
    receiver.kill();
    await ended;
  });

  async function kept(blogId: string) {
    const text = await readFile(join(own, 'posts', `${blogId}.json`), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as object);
  }

  // In order: each finds what those before left.
  it.each(requests)('answers as agreed: $name', async ({ body_utf8, signature, status, answer, kept: expected }) => {
    const response = await fetch(origin, {
      method: 'POST',
      body: body_utf8,
      headers: {
        'content-type': 'application/json',
        ...(signature !== null && { 'x-webhook-signature': signature }),
      },
    });
    expect({ status: response.status, answer: await response.json() }).toMatchObject({ status, answer });
    for (const [blogId, post] of Object.entries(expected)) {
      if (post === null) expect(await kept(blogId)).toBeNull();
      else expect(await kept(blogId)).toMatchObject(post);
    }
  });
}
