import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { generateSessionKeyPair, InvalidSessionKeys, sessionJwks, sessionPrivateJwk } from './session-keys.ts';
import { createSessionSigner, MAX_SESSION_TTL_S } from './session-signer.ts';
import { createSessionVerifier, InvalidSession } from './session-verifier.ts';
import type { VerifySession } from './session-verifier.ts';

const owner = {
  accountId: '8f14e45f-ceea-467f-a0e6-1d1b3a0d6a11',
  email: 'owner@example.com',
  sessionId: '3b241101-e2bb-4255-8caf-4136c566a962',
};
const start = new Date('2025-03-01T12:00:00.250Z');
const at = (seconds: number) => () => new Date(start.getTime() + seconds * 1_000);

const keys = await generateSessionKeyPair();
const signer = createSessionSigner(keys.privateJwk, at(0));
const verify = createSessionVerifier(keys.publicJwks, at(0));

async function reasonOf(verifier: VerifySession, token: string): Promise<string | undefined> {
  try {
    await verifier(token);
  } catch (error) {
    if (error instanceof InvalidSession) return error.reason;
    throw error;
  }
  return undefined;
}

describe('an owner session', () => {
  it('is verified with the account it was issued for', async () => {
    const { token, expiresAt } = await signer.issue(owner, 3_600);
    expect(expiresAt).toEqual(new Date('2025-03-01T13:00:00.000Z'));
    expect(await verify(token)).toEqual({ ...owner, expiresAt });
  });

  it('is verified for any account', async () => {
    const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(word, word, async (accountId, email) => {
        const { token } = await signer.issue({ ...owner, accountId, email }, 60);
        expect(await verify(token)).toMatchObject({ accountId, email });
      }),
    );
  });

  it('names its key, audience and issuer', async () => {
    const { token } = await signer.issue(owner, 60);
    const [header, payload] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown);
    const [publicJwk] = signer.publicJwks().keys;
    expect(header).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: publicJwk?.kid });
    expect(payload).toEqual({
      sub: owner.accountId,
      email: owner.email,
      sid: owner.sessionId,
      iss: 'blog-content-service',
      aud: 'owner',
      iat: 1_740_830_400,
      exp: 1_740_830_460,
    });
  });

  it('ends at its expiry, give or take 5 seconds between clocks', async () => {
    const { token } = await signer.issue(owner, 60);
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(59)), token)).toBeUndefined();
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(64)), token)).toBeUndefined();
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(66)), token)).toBe('expired');
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(1e6)), token)).toBe('expired');
  });

  it('is refused after an hour, even if signed with a later expiry', async () => {
    const longLived = await forge({ exp: seconds(24 * 3_600) });
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(3_599)), longLived)).toBeUndefined();
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(3_606)), longLived)).toBe('expired');
  });

  it('does not start in the future, give or take 5 seconds', async () => {
    const notYet = await forge({ nbf: seconds(30) });
    expect(await reasonOf(verify, notYet)).toBe('invalid');
    expect(await reasonOf(createSessionVerifier(keys.publicJwks, at(26)), notYet)).toBeUndefined();
  });

  it.each([0, -1, 1.5, Number.NaN, MAX_SESSION_TTL_S + 1])('is not issued for %d seconds', async (ttl) => {
    await expect(signer.issue(owner, ttl)).rejects.toThrow(RangeError);
  });

  it('uses the real clock unless given one', async () => {
    const issued = await createSessionSigner(keys.privateJwk).issue(owner, 3_600);
    expect(await createSessionVerifier(keys.publicJwks)(issued.token)).toMatchObject(owner);
  });
});

const seconds = (offset: number): number => Math.floor(start.getTime() / 1_000) + offset;
const jwk = JSON.parse(keys.privateJwk) as { kid: string; x: string; d: string };
const privateKey = createPrivateKey({ key: JSON.parse(keys.privateJwk) as object, format: 'jwk' } as never);

/** A token signed with the right key, its claims and header changed; undefined leaves one out. */
function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
  const payload = {
    sub: owner.accountId,
    email: owner.email,
    sid: owner.sessionId,
    iss: 'blog-content-service',
    aud: 'owner',
    iat: seconds(0),
    exp: seconds(60),
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid, typ: 'JWT', ...header })
    .sign(privateKey);
}

describe('a verifier', () => {
  it('accepts a valid token', async () => {
    expect(await reasonOf(verify, await forge())).toBeUndefined();
  });

  it.each([
    ['another issuer', { iss: 'someone-else' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'agent' }],
    ['no audience', { aud: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is no number', { exp: 'never' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['no email', { email: undefined }],
    ['an email that is no text', { email: 7 }],
    ['no session id', { sid: undefined }],
    ['a session id that is no UUID', { sid: 'first' }],
    ['no issue time', { iat: undefined }],
  ])('refuses %s', async (_case, claims) => {
    expect(await reasonOf(verify, await forge(claims))).toBe('invalid');
  });

  it.each([
    ['an unknown key id', { kid: 'other' }, 'unknown_key'],
    ['no key id', { kid: undefined }, 'unknown_key'],
    ['a token of another type', { typ: 'at+jwt' }, 'invalid'],
  ])('refuses %s', async (_case, header, reason) => {
    expect(await reasonOf(verify, await forge({}, header))).toBe(reason);
  });

  it('refuses a key of its own under a known key id', async () => {
    const foreign = await generateSessionKeyPair();
    const impostor = createSessionSigner(
      JSON.stringify({ ...(JSON.parse(foreign.privateJwk) as object), kid: jwk.kid }),
      at(0),
    );
    expect(await reasonOf(verify, (await impostor.issue(owner, 60)).token)).toBe('invalid');
    const honest = createSessionSigner(foreign.privateJwk, at(0));
    expect(await reasonOf(verify, (await honest.issue(owner, 60)).token)).toBe('unknown_key');
  });

  it('refuses an unsigned token', async () => {
    const claims = { email: owner.email, sub: owner.accountId, iss: 'blog-content-service', aud: 'owner' };
    const unsecured = new UnsecuredJWT(claims).setIssuedAt(seconds(0)).setExpirationTime(seconds(60)).encode();
    expect(await reasonOf(verify, unsecured)).toBe('invalid');
    const [, payload = ''] = (await forge()).split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: jwk.kid, typ: 'JWT' })).toString('base64url');
      expect(await reasonOf(verify, `${header}.${payload}.`)).toBe('invalid');
    }
  });

  it('refuses a token signed with the public key as if it were a shared secret', async () => {
    const [, payload = ''] = (await forge()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: jwk.kid, typ: 'JWT' })).toString('base64url');
    for (const secret of [jwk.x, Buffer.from(jwk.x, 'base64url'), keys.publicJwks]) {
      const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
      expect(await reasonOf(verify, `${header}.${payload}.${signature}`)).toBe('invalid');
    }
  });

  it('refuses another algorithm, even with a valid signature', async () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const token = await new SignJWT({ email: owner.email })
      .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
      .sign(rsa);
    expect(await reasonOf(verify, token)).toBe('invalid');
  });

  it('refuses a key within the token', async () => {
    const foreign = await generateSessionKeyPair();
    const {
      keys: [publicJwk],
    } = JSON.parse(foreign.publicJwks) as { keys: [object] };
    const key = createPrivateKey({ key: JSON.parse(foreign.privateJwk) as object, format: 'jwk' } as never);
    const token = await new SignJWT({
      email: owner.email,
      sub: owner.accountId,
      iss: 'blog-content-service',
      aud: 'owner',
    })
      .setIssuedAt(seconds(0))
      .setExpirationTime(seconds(60))
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid, typ: 'JWT', jwk: publicJwk })
      .sign(key);
    expect(await reasonOf(verify, token)).toBe('invalid');
  });

  it.each(['', 'x', '..', 'a.b.c', 'pk_live_00000000000000000000000000000000', 'x'.repeat(100_000)])(
    'text that is no token',
    async (text) => {
      expect(await reasonOf(verify, text)).toBe('invalid');
    },
  );

  it('a token with any character changed', async () => {
    const { token } = await signer.issue(owner, 60);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'Aaz09_-.+ '), async (position, character) => {
        fc.pre(token[position] !== character);
        const changed = token.slice(0, position) + character + token.slice(position + 1);
        // The last character of a signature has bits that decode to nothing.
        fc.pre(
          Buffer.from(changed.split('.')[2] ?? '', 'base64url').compare(
            Buffer.from(token.split('.')[2] ?? '', 'base64url'),
          ) !== 0 || position < token.lastIndexOf('.'),
        );
        expect(await reasonOf(verify, changed)).toMatch(/^(invalid|unknown_key)$/);
      }),
      { numRuns: 300 },
    );
  });

  it('without repeating the token or its claims', async () => {
    const token = await forge({ aud: 'agent' });
    const error = await verify(token).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidSession);
    const said = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
    for (const secret of [token, owner.email, owner.accountId]) expect(said).not.toContain(secret);
  });
});

describe('changing the signing key', () => {
  it('keeps sessions of both keys valid while both public keys are known', async () => {
    const next = await generateSessionKeyPair();
    const nextSigner = createSessionSigner(next.privateJwk, at(0));
    const both = JSON.stringify({ keys: [...nextSigner.publicJwks().keys, ...signer.publicJwks().keys] });
    const verifyBoth = createSessionVerifier(both, at(0));
    for (const issuer of [signer, nextSigner]) {
      expect(await verifyBoth((await issuer.issue(owner, 60)).token)).toMatchObject(owner);
    }
    const verifyNext = createSessionVerifier(next.publicJwks, at(0));
    expect(await reasonOf(verifyNext, (await signer.issue(owner, 60)).token)).toBe('unknown_key');
  });
});

describe('session keys', () => {
  it('are a matching pair, with the private part in one of them only', () => {
    expect(JSON.parse(keys.publicJwks)).toEqual(createSessionSigner(keys.privateJwk).publicJwks());
    expect(keys.publicJwks).not.toContain(jwk.d);
    expect(Object.keys((JSON.parse(keys.publicJwks) as { keys: [object] }).keys[0]).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
    ]);
    expect(sessionPrivateJwk.parse(keys.privateJwk)).toBe(keys.privateJwk);
    expect(sessionJwks.parse(keys.publicJwks)).toBe(keys.publicJwks);
  });

  it('get their id from the public key when they have none', () => {
    const { kid, ...anonymous } = jwk;
    expect(createSessionSigner(JSON.stringify(anonymous)).publicJwks().keys[0]?.kid).toBe(kid);
  });

  const publicJwk = createSessionSigner(keys.privateJwk).publicJwks().keys[0];
  it.each([
    ['', 'must be JSON'],
    ['{', 'must be JSON'],
    [keys.privateJwk.slice(0, -1), 'must be JSON'],
    ['null', 'must be a private Ed25519 key'],
    [keys.publicJwks, 'must be a private Ed25519 key'],
    [JSON.stringify({ ...jwk, crv: 'X25519' }), 'must be a private Ed25519 key'],
    [JSON.stringify({ ...jwk, d: 'short' }), 'must be a private Ed25519 key'],
    [JSON.stringify({ ...jwk, d: jwk.x }), 'must be one key'],
  ])('are refused for signing: %#', (value, message) => {
    expect(() => createSessionSigner(value)).toThrow(InvalidSessionKeys);
    const result = sessionPrivateJwk.safeParse(value);
    expect(result.error?.issues).toEqual([
      expect.objectContaining({ message: expect.stringContaining(message) as string }),
    ]);
    expect(JSON.stringify(result.error)).not.toContain(jwk.d);
  });

  it.each([
    ['nonsense', 'must be JSON'],
    ['[]', 'must be a JWKS'],
    ['{"keys":[]}', 'must be a JWKS'],
    [JSON.stringify(publicJwk), 'must be a JWKS'],
    [JSON.stringify({ keys: [{ ...publicJwk, kid: undefined }] }), 'must be a JWKS'],
    [JSON.stringify({ keys: [{ ...publicJwk, x: 'short' }] }), 'must be a JWKS'],
    [JSON.stringify({ keys: [publicJwk, publicJwk] }), 'two keys with the same kid'],
    [JSON.stringify({ keys: [jwk] }), 'must hold public keys only'],
    [JSON.stringify({ keys: [jwk] }).replace('"d"', '"\\u0064"'), 'must be a JWKS of public'],
  ])('are refused for verifying: %#', (value, message) => {
    expect(() => createSessionVerifier(value)).toThrow(InvalidSessionKeys);
    const result = sessionJwks.safeParse(value);
    expect(result.error?.issues).toEqual([
      expect.objectContaining({ message: expect.stringContaining(message) as string }),
    ]);
    expect(JSON.stringify(result.error)).not.toContain(jwk.d);
  });
});
