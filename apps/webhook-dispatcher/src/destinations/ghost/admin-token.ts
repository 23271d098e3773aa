import { createHmac } from 'node:crypto';

/** Ghost takes tokens of five minutes at most. */
const LIFE_S = 240;

/** The token that Ghost's Admin API is called with: a JWT, signed with the key that the owner gave. */
export function adminToken(adminApiKey: string, now: Date): string {
  const [kid = '', secret = ''] = adminApiKey.split(':');
  const iat = Math.floor(now.getTime() / 1_000);
  const head = encode({ alg: 'HS256', typ: 'JWT', kid });
  const claims = encode({ iat, exp: iat + LIFE_S, aud: '/admin/' });
  const signature = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${claims}`).digest('base64url');
  return `${head}.${claims}.${signature}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
