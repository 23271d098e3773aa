import { generateToken, sha256Hex, type SecretBox } from '@blog-content/credentials';
import type { ReplicaBarrier } from '../replicas/wait-for-replicas.ts';
import type { NewKey, PublicKeyStore } from './public-key-store.ts';

/** A project's public key in the clear, for its owner. */
export interface RevealedKey {
  readonly key: string;
  readonly createdAt: Date;
}

/** What an owner can do with the public key of a project (contract §5.1). `null`: there is nothing to do it with. */
export interface PublicKeys {
  reveal(projectId: string): Promise<RevealedKey | null>;
  /** Null when the project has a key already: it has at most one. */
  generate(projectId: string): Promise<RevealedKey | null>;
  /** Null when the project has no key. Once resolved, every replica refuses the old key. */
  rotate(projectId: string): Promise<RevealedKey | null>;
  /** False when the project has no key. Once resolved, every replica refuses it. */
  revoke(projectId: string): Promise<boolean>;
}

export interface PublicKeysDependencies {
  readonly store: PublicKeyStore;
  readonly replicas: Pick<ReplicaBarrier, 'wait'>;
  readonly secretBox: SecretBox;
  readonly now: () => Date;
}

const KEY_CHARACTERS = 32;

/**
 * The operations on public keys. Keys are stored encrypted, bound to their project, with the hash they are found by.
 */
export function createPublicKeys({ store, replicas, secretBox, now }: PublicKeysDependencies): PublicKeys {
  const context = (projectId: string): string => `public-key:${projectId}`;
  const make = (projectId: string): { stored: NewKey; revealed: RevealedKey } => {
    const key = generateToken('pk_live_', KEY_CHARACTERS);
    const createdAt = now();
    const sealedKey = secretBox.seal(key, context(projectId));
    return { stored: { keyHash: sha256Hex(key), sealedKey, createdAt }, revealed: { key, createdAt } };
  };

  return {
    async reveal(projectId) {
      const stored = await store.find(projectId);
      return stored && { key: secretBox.open(stored.sealedKey, context(projectId)), createdAt: stored.createdAt };
    },
    async generate(projectId) {
      const { stored, revealed } = make(projectId);
      return (await store.add(projectId, stored)) ? revealed : null;
    },
    async rotate(projectId) {
      const { stored, revealed } = make(projectId);
      const epoch = await store.replace(projectId, stored);
      if (epoch === null) return null;
      await replicas.wait(epoch);
      return revealed;
    },
    async revoke(projectId) {
      const epoch = await store.remove(projectId);
      if (epoch === null) return false;
      await replicas.wait(epoch);
      return true;
    },
  };
}
