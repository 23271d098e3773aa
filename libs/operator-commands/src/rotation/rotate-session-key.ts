import {
  createSessionSigner,
  generateSessionKeyPair,
  MAX_SESSION_TTL_S,
  parsePublicJwks,
} from '@blog-content/credentials';

/** What to deploy, in this order: the name of a file, and the variables in it. */
export interface RotationStep {
  readonly file: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What to do with it. */
  readonly what: string;
}

const LONGEST_SESSION = `${MAX_SESSION_TTL_S / 60} minutes`;

/**
 * Makes a new key pair for sessions and the three changes that bring it in. Between any two of them every session is
 * accepted by every replica, whatever order replicas start in.
 *
 * @param privateJwk the text of the `OWNER_SESSION_PRIVATE_JWK` that signs now.
 * @throws InvalidSessionKeys
 */
export async function planSessionKeyRotation(privateJwk: string): Promise<readonly RotationStep[]> {
  const old = createSessionSigner(privateJwk).publicJwks().keys;
  const { privateJwk: made, publicJwks } = await generateSessionKeyPair();
  const both = JSON.stringify({ keys: [...old, ...parsePublicJwks(publicJwks).keys] });
  return [
    {
      file: '1-accept-both.env',
      variables: { OWNER_SESSION_JWKS: both },
      what: 'all services: accept both keys. Wait until every replica runs with it.',
    },
    {
      file: '2-sign-with-new.env',
      variables: { OWNER_SESSION_PRIVATE_JWK: made },
      what: 'content-service: sign with the new key. Wait until every replica runs with it.',
    },
    {
      file: '3-refuse-old.env',
      variables: { OWNER_SESSION_JWKS: publicJwks },
      what: `all services, ${LONGEST_SESSION} later: refuse the old key. No session signed by it is valid then.`,
    },
  ];
}
