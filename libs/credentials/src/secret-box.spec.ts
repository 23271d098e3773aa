import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { InvalidEncryptionKeys, parseEncryptionKeys, secretBoxKeys } from './encryption-keys.ts';
import { createSecretBox, SecretBoxError } from './secret-box.ts';
import type { SealContext } from './sealed-columns.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const text = fc.string({ unit: 'binary', maxLength: 200 });
const context = text.map((id): SealContext => `webhook-secret:${id}`);
const here: SealContext = 'webhook-secret:here';

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof SecretBoxError) return error.code;
    throw error;
  }
  return undefined;
}

describe('a secret box', () => {
  const box = createSecretBox(`k1:${newKey()}`);

  it('gives back what was sealed, under the same context', () => {
    fc.assert(
      fc.property(text, context, (plain, context) => {
        expect(box.open(box.seal(plain, context), context)).toBe(plain);
      }),
    );
  });

  it('never seals the same text to the same output', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal('the same', here));
    expect(new Set(sealed).size).toBe(100);
  });

  it('writes version, key id, nonce and ciphertext, nothing of the text', () => {
    const sealed = box.seal('correct horse battery staple', 'webhook-secret:1');
    expect(sealed).toMatch(/^v1\.k1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
    const [, , nonce = '', body = ''] = sealed.split('.');
    expect(Buffer.from(nonce, 'base64url')).toHaveLength(12);
    expect(Buffer.from(body, 'base64url')).toHaveLength(28 + 16);
    expect(Buffer.from(body, 'base64url').toString('latin1')).not.toContain('horse');
  });

  it('does not open under another context', () => {
    fc.assert(
      fc.property(text, context, context, (plain, context, other) => {
        fc.pre(context !== other);
        expect(codeOf(() => box.open(box.seal(plain, context), other))).toBe('not_authentic');
      }),
    );
  });

  it('does not open when any character was changed, added or left out', () => {
    const characters = fc.constantFrom(...'AQgw09_-.=+/ \n\u0000é');
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        characters,
        fc.constantFrom(0, 1),
        fc.boolean(),
        (plain, at, character, cut, insert) => {
          const sealed = box.seal(plain, here);
          const position = at % (sealed.length + 1);
          const changed = sealed.slice(0, position) + (insert ? character : '') + sealed.slice(position + cut);
          fc.pre(changed !== sealed);
          expect(codeOf(() => box.open(changed, here))).toMatch(/^(malformed|unknown_key|not_authentic)$/);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each(['', 'v1', 'v1.k1..', 'v1.k1.AAAA.AAAA', 'v2.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'plain text'])(
    'takes %j for malformed',
    (sealed) => {
      expect(codeOf(() => box.open(sealed, here))).toBe('malformed');
    },
  );

  it('does not seal invalid Unicode', () => {
    expect(codeOf(() => box.seal('half \ud800', here))).toBe('not_text');
  });

  it('keeps the secret, the key and the context out of its errors', () => {
    const key = newKey();
    const { seal, open } = createSecretBox(`k1:${key}`);
    const sealed = seal('the-plain-secret', 'webhook-secret:the-context');
    try {
      open(sealed, 'webhook-secret:other');
      throw new Error('opened');
    } catch (error) {
      const said = `${String(error)} ${(error as Error).stack ?? ''} ${JSON.stringify(error)}`;
      for (const secret of ['the-plain-secret', 'webhook-secret:the-context', key, sealed])
        expect(said).not.toContain(secret);
    }
  });
});

describe('changing the key', () => {
  const [oldKey, newKeyText] = [newKey(), newKey()];
  const before = createSecretBox(`2024:${oldKey}`);
  const during = createSecretBox(`2025:${newKeyText},2024:${oldKey}`);
  const after = createSecretBox(`2025:${newKeyText}`);
  const sealed = before.seal('secret', here);

  it('opens what the old key sealed and seals with the new one', () => {
    expect(during.open(sealed, here)).toBe('secret');
    expect(after.open(during.seal('secret', here), here)).toBe('secret');
  });

  it('names the missing key once the old one is gone', () => {
    expect(codeOf(() => after.open(sealed, here))).toBe('unknown_key');
    expect(() => after.open(sealed, here)).toThrow('"2024"');
  });

  it('does not open with another key of the same id', () => {
    expect(codeOf(() => createSecretBox(`2024:${newKey()}`).open(sealed, here))).toBe('not_authentic');
  });
});

describe('ENCRYPTION_KEYS', () => {
  const key = newKey();

  it('takes several keys, base64 or base64url, with or without padding, blanks around', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const written = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('base64').replace('=', '')];
    const keys = parseEncryptionKeys(written.map((value, index) => `k${String(index)}:${value}`).join(' ,\n '));
    expect(keys.map(({ id }) => id)).toEqual(['k0', 'k1', 'k2']);
    for (const { bytes: parsed } of keys) expect(parsed).toEqual(bytes);
  });

  const rejected: [string, string][] = [
    ['', 'key 1 must be written as id:key'],
    [key, 'key 1 must be written as id:key'],
    [`k1:${key},`, 'key 2 must be written as id:key'],
    [`k1:${key}:more`, 'key 1 must be written as id:key'],
    [`:${key}`, 'key 1 must have an id of 1 to 32 letters, digits, "_" or "-" before the colon'],
    [`k.1:${key}`, 'key 1 must have an id of 1 to 32 letters, digits, "_" or "-" before the colon'],
    [`k1:${key},k1:${newKey()}`, 'key 2 has the same id as key 1'],
    ...[
      '',
      'c2hvcnQ=',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      `${key}=`,
      '*'.repeat(44),
    ].map((bad): [string, string] => [
      `k0:${key},k1:${bad}`,
      'key 2 must be 32 bytes in base64, like those of "openssl rand -base64 32"',
    ]),
  ];
  it.each(rejected)('refuses %j, saying where and why but not what', (value, message) => {
    expect(() => parseEncryptionKeys(value)).toThrow(new InvalidEncryptionKeys(message));
    expect(() => createSecretBox(value)).toThrow(InvalidEncryptionKeys);
    const result = secretBoxKeys.safeParse(value);
    expect(result.error?.issues.map((issue) => issue.message)).toEqual([message]);
    for (const part of value.split(/[,:]/).filter((piece) => piece.length > 8)) {
      expect(JSON.stringify(result.error)).not.toContain(part);
    }
  });

  it('is kept as text once checked', () => {
    expect(secretBoxKeys.parse(`k1:${key}`)).toBe(`k1:${key}`);
  });
});
