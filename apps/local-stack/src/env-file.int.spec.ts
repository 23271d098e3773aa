import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentFile, writeEnvironmentFile } from './env-file.ts';

const facts = {
  origin: 'http://127.0.0.1:4000',
  owner: { email: 'owner@example.com', password: `it's $HOME "quoted" \\ \`id\``, token: 'header.claims.signature' },
  projectId: 'a-project',
  publicKey: 'pk_live_x',
  agentKey: 'sk_agent_x',
  siteUrl: 'https://site.example',
  webhookSecret: 'a-secret',
  brokers: [],
};
const guides = new URL('../../../docs/guides/', import.meta.url);

describe('env.sh of npm start', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'blog-content-env-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives a shell each value unchanged, with any characters', async () => {
    const file = join(folder, 'env.sh');
    await writeEnvironmentFile(file, facts);
    const print = `. '${file}'; printf '%s\\n' "$ORIGIN" "$PASSWORD" "$TOKEN" "$BLOG_KEY" "$AGENT_KEY" "$BLOG_PROJECT"`;
    const printed = execFileSync('/bin/sh', ['-c', print], { encoding: 'utf8', env: {} });
    const { origin, owner, publicKey, agentKey, projectId } = facts;
    expect(printed.trimEnd().split('\n')).toEqual([
      origin,
      owner.password,
      owner.token,
      publicKey,
      agentKey,
      projectId,
    ]);
  });

  it('is readable by its owner only, also when it replaces a file', async () => {
    const file = join(folder, 'env.sh');
    await writeEnvironmentFile(file, facts);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has each value that a guide asks its reader to paste', () => {
    const given = new Set(
      [...environmentFile({ ...facts, brokers: ['b'] }).matchAll(/^export (\w+)=/gm)].map(([, n]) => n),
    );
    const asked = readdirSync(guides).flatMap((name) =>
      [...readFileSync(new URL(name, guides), 'utf8').matchAll(/^export .*$/gm)].flatMap(([line]) =>
        [...line.matchAll(/\b([A-Z_]+)=\S*…/g)].map(([, variable]) => variable),
      ),
    );
    // The one value that only the reader's host knows.
    expect(asked.filter((name) => name !== 'BUILD_HOOK' && !given.has(name))).toEqual([]);
  });
});
