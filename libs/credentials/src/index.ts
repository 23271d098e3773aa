export { createMask, MASK, MAX_PIECE_CHARACTERS } from './masking/create-mask.ts';
export { secretsInUrl } from './masking/secrets-in-url.ts';
export { sha256Hex } from './digests.ts';
export { InvalidEncryptionKeys, parseEncryptionKeys, secretBoxKeys } from './encryption-keys.ts';
export type { EncryptionKey } from './encryption-keys.ts';
export { generateToken, TOKEN_LENGTHS } from './generate-token.ts';
export type { TokenPrefix } from './generate-token.ts';
export { createSecretBox, sealedPrefix, SecretBoxError } from './secret-box.ts';
export type { SecretBox, SecretBoxFault } from './secret-box.ts';
export { SEALED_COLUMNS } from './sealed-columns.ts';
export type { SealContext, SealedColumn } from './sealed-columns.ts';
export {
  generateSessionKeyPair,
  InvalidSessionKeys,
  parsePublicJwks,
  sessionJwks,
  sessionPrivateJwk,
} from './session-keys.ts';
export type { PublicSessionJwk } from './session-keys.ts';
export { createSessionSigner, MAX_SESSION_TTL_S } from './session-signer.ts';
export type { SessionSigner } from './session-signer.ts';
export { createSessionVerifier, InvalidSession } from './session-verifier.ts';
export type { OwnerSession, VerifySession } from './session-verifier.ts';
