import { generateToken, sha256Hex, type SealContext, type SecretBox } from '@blog-content/credentials';
import type { ReplicaBarrier } from '../replicas/wait-for-replicas.ts';
import type { NewKey, PublicKeyStore } from './public-key-store.ts';

/** A project's public key in the clear, for its owner. */
export interface RevealedKey {
  readonly key: string;
  readonly createdAt: Date;
}

export interface PublicKeysDependencies {
  readonly store: PublicKeyStore;
  readonly replicas: Pick<ReplicaBarrier, 'wait'>;
  readonly secretBox: SecretBox;
  readonly now: () => Date;
}

const KEY_CHARACTERS = 32;

export type PublicKeys = ReturnType<typeof createPublicKeys>;

/**
 * The operations on public keys. Keys are stored encrypted, bound to their project, with the hash they are found by.
 */
export function createPublicKeys({ store, replicas, secretBox, now }: PublicKeysDependencies) {
  const context = (projectId: string): SealContext => `public-key:${projectId}`;
  const make = (projectId: string): { stored: NewKey; revealed: RevealedKey } => {
    const key = generateToken('pk_live_', KEY_CHARACTERS);
    const createdAt = now();
    const sealedKey = secretBox.seal(key, context(projectId));
    return { stored: { keyHash: sha256Hex(key), sealedKey, createdAt }, revealed: { key, createdAt } };
  };

  return {
    async reveal(projectId: string): Promise<RevealedKey | null> {
      const stored = await store.find(projectId);
      return stored && { key: secretBox.open(stored.sealedKey, context(projectId)), createdAt: stored.createdAt };
    },
    /** Null when the project has a key already: it has at most one. */
    async generate(projectId: string): Promise<RevealedKey | null> {
      const { stored, revealed } = make(projectId);
      return (await store.add(projectId, stored)) ? revealed : null;
    },
    /** Null when the project has no key. Once resolved, every replica refuses the old key. */
    async rotate(projectId: string): Promise<RevealedKey | null> {
      const { stored, revealed } = make(projectId);
      const epoch = await store.replace(projectId, stored);
      if (epoch === null) return null;
      await replicas.wait(epoch);
      return revealed;
    },
    /** False when the project has no key. Once resolved, every replica refuses it. */
    async revoke(projectId: string): Promise<boolean> {
      const epoch = await store.remove(projectId);
      if (epoch === null) return false;
      await replicas.wait(epoch);
      return true;
    },
  };
}
