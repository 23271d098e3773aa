import { sign } from '@blog-content/signing';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnose } from './diagnose.ts';

const SECRET = 'a-secret-of-your-own';
const SENT = '{"event":"test.ping","message":"Tea & cake","timestamp":"2026-11-23T05:19:12.118Z"}';
const signature = sign(Buffer.from(SENT), SECRET);

async function findings(given: { body?: string | Uint8Array; headers?: Record<string, string>; secret?: string }) {
  const { body = SENT, headers = { 'x-webhook-signature': signature }, secret = SECRET } = given;
  const diagnosis = await diagnose(Buffer.from(body as string), (name) => headers[name], secret);
  return `${diagnosis.isGenuine ? 'genuine' : 'not genuine'}: ${diagnosis.findings.join(' ')}`;
}

describe('diagnose', () => {
  it('says that a request is genuine, and what it holds', async () => {
    expect(await findings({})).toBe('genuine: The signature is valid. The body is test.ping.');
  });

  const pretty = JSON.stringify(JSON.parse(SENT), null, 2);
  const header = (value: string) => ({ headers: { 'x-webhook-signature': value } });
  it.each<[string, Parameters<typeof findings>[0]]>([
    ['X-Webhook-Signature is missing', { headers: {} }],
    ['X-Legacy-Signature is present', { headers: { 'x-legacy-signature': `sha256=${signature}` } }],
    ['prefix "sha256=". X-Webhook-Signature never has one. Its digits are correct.', header(`sha256=${signature}`)],
    ['not lowercase. Its digits are correct.', header(signature.toUpperCase())],
    ['surrounding whitespace. Its digits are correct.', header(` ${signature}`)],
    ['64 hexadecimal digits (got 5 characters)', header('wrong')],
    ['without the trailing line break', { body: `${SENT}\n` }],
    ['with a trailing line break', { headers: { 'x-webhook-signature': sign(Buffer.from(`${SENT}\n`), SECRET) } }],
    ['byte order mark', { body: `\uFEFF${SENT}` }],
    ['parsed and re-serialized', { body: pretty }],
    ['The body is quoted', { body: JSON.stringify(SENT) }],
    ['isBase64Encoded', { body: Buffer.from(SENT).toString('base64') }],
    ['The secret has surrounding whitespace', { secret: ` ${SECRET}` }],
    ['The secret is in quotes', { secret: `"${SECRET}"` }],
    ['The secret ends with a line break', header(sign(Buffer.from(SENT), `${SECRET}\n`))],
    ['another body or another secret', { secret: 'another-secret-of-16' }],
    ['The body is not an event: unknown event', { body: '{}' }],
  ])('says in words: %s', async (words, given) => {
    const said = await findings(given);
    expect(said).toContain(words);
    expect(said).toMatch(/^not genuine/);
  });
});

describe('verify-webhook', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blog-content-verify-'));
    await writeFile(join(folder, 'body.json'), SENT);
    await writeFile(join(folder, 'secret.txt'), `${SECRET}\n`);
    await writeFile(
      join(folder, 'headers.txt'),
      `Content-Type: application/json\r\nX-Webhook-Signature: ${signature}\r\n`,
    );
    await writeFile(join(folder, 'headers.json'), JSON.stringify({ 'X-Webhook-Signature': 'wrong' }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const script = join(import.meta.dirname, 'verify-webhook.main.ts');
      execFile(process.execPath, [script, ...args], { cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const files = (headers: string) => ['--body', 'body.json', '--headers', headers, '--secret-file', 'secret.txt'];

  it('ends with 0 for a genuine request, 1 for another, 2 for what it cannot read', async () => {
    expect(await run(...files('headers.txt'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The signature is valid'),
    });
    expect(await run(...files('headers.json'))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('64 hexadecimal'),
    });
    expect(await run(...files('nothing.txt'))).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
    expect(await run('--body', 'body.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('--headers') });
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage') });
  });
});
