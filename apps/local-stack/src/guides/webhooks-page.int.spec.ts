import { sign } from '@blog-content/signing';
import { webhookBody } from '@blog-content/payload-schemas';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');

/** The page's code in a language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}

interface SignedBody {
  readonly body_base64: string;
  readonly secret: string;
  readonly signature: string | null;
}

const vectors = JSON.parse(await readFile(join(root, 'libs/signing/test-vectors.json'), 'utf8')) as {
  valid: SignedBody[];
  invalid: SignedBody[];
};

const SECRET = 'correct-horse-battery-staple';
const body = Buffer.from(JSON.stringify({ event: 'blog.unpublished', title: 'Über “Tea” & cake' }));
const signature = sign(body, SECRET);
const tampered = Buffer.from(body.toString().replace('Tea', 'Tee'));
const ask = (bytes: Buffer, given: string | null): SignedBody => ({
  body_base64: bytes.toString('base64'),
  secret: SECRET,
  signature: given,
});

const right = [ask(body, signature), ...vectors.valid];
const wrong = [
  ask(tampered, signature),
  ask(Buffer.concat([body, Buffer.from(' ')]), signature),
  ask(body, sign(body, 'another-secret-of-16')),
  ask(body, `sha256=${signature}`),
  ask(body, ''),
  ask(body, null),
  ask(body, 'ü'.repeat(64)),
  ...vectors.invalid,
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-page-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function askNode(questions: readonly SignedBody[]): Promise<boolean[]> {
  const file = join(folder, 'verify.mjs');
  await writeFile(file, blocks('js')[0] ?? '');
  const { isSigned } = (await import(pathToFileURL(file).href)) as {
    isSigned: (body: Buffer, signature: string | null, secret: string) => boolean;
  };
  return questions.map((question) =>
    isSigned(Buffer.from(question.body_base64, 'base64'), question.signature, question.secret),
  );
}

async function askPython(questions: readonly SignedBody[]): Promise<boolean[]> {
  const program = `${blocks('python')[0] ?? ''}
import base64, json, sys
questions = json.load(sys.stdin)
print(json.dumps([is_signed(base64.b64decode(q["body_base64"]), q["signature"], q["secret"]) for q in questions]))
`;
  const file = join(folder, 'verify.py');
  await writeFile(file, program);
  const { stdout, stderr, error } = spawnSync('python3', [file], {
    input: JSON.stringify(questions),
    encoding: 'utf8',
  });
  if (error) throw error;
  expect(stderr).toBe('');
  return JSON.parse(stdout) as boolean[];
}

describe('docs/webhooks.md', () => {
  it.each([
    ['Node', askNode],
    ['Python', askPython],
  ])('has a function in %s that takes what the service signs, and refuses what was changed', async (_name, answer) => {
    expect(await answer(right)).toEqual(right.map(() => true));
    expect(await answer(wrong)).toEqual(wrong.map(() => false));
  });

  it('shows bodies as the service sends them, one of each event', () => {
    const shown = blocks('json').map((text) => JSON.parse(text) as unknown);
    const bodies = shown.map((body) => webhookBody.parse(body));
    expect(bodies).toEqual(shown);
    expect(new Set(bodies.map(({ event }) => event))).toEqual(
      new Set(webhookBody.options.map(({ shape }) => shape.event.value)),
    );
  });

  it('shows the signature that the bytes of test.ping have', () => {
    const ping = blocks('json').find((text) => text.startsWith('{"event":"test.ping"'));
    const secret = /With the secret `([^`]+)`/.exec(page)?.[1];
    expect(page).toContain(`\`${sign(Buffer.from(ping?.trimEnd() ?? ''), secret ?? '')}\``);
  });

  it('names every field of a post', () => {
    const fields = Object.keys(webhookBody.options[0].shape);
    for (const field of fields) expect(page).toMatch(new RegExp(`^\\|.*\`${field}\``, 'm'));
  });
});
