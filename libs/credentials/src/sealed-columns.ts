/** A column of sealed texts: everything that `npm run rotate -- encryption-key` has to know of it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Begins the context of its texts: `<purpose>:<owner>`. */
  readonly purpose: string;
  /** The column, of UUIDs, with the owner of a text: the other half of its context. */
  readonly owner: string;
  /** Table that keeps what the column held at any time, under its fingerprint. The delivery log names it by that. */
  readonly history?: 'integration_headers';
}

/**
 * Every column with sealed texts, by the service that has it. A secret box seals only for these purposes, so that a
 * rotation of the encryption key can't miss a text.
 */
export const SEALED_COLUMNS = {
  'content-service': [
    { table: 'generation_settings', column: 'sealed_key', purpose: 'generation-key', owner: 'project_id' },
  ],
  'public-read-service': [{ table: 'public_key', column: 'sealed_key', purpose: 'public-key', owner: 'project_id' }],
  'webhook-dispatcher': [
    { table: 'integration', column: 'sealed_url', purpose: 'webhook-url', owner: 'id' },
    { table: 'integration', column: 'sealed_secret', purpose: 'webhook-secret', owner: 'id' },
    {
      table: 'integration',
      column: 'sealed_headers',
      purpose: 'webhook-headers',
      owner: 'id',
      history: 'integration_headers',
    },
    { table: 'integration_headers', column: 'sealed_headers', purpose: 'webhook-headers', owner: 'integration_id' },
    { table: 'deploy_hook', column: 'sealed_url', purpose: 'deploy-hook', owner: 'project_id' },
    { table: 'deploy_hook', column: 'sealed_parts', purpose: 'deploy-hook-parts', owner: 'project_id' },
  ],
} as const satisfies Readonly<Record<string, readonly SealedColumn[]>>;

type Purpose = (typeof SEALED_COLUMNS)[keyof typeof SEALED_COLUMNS][number]['purpose'];

/** What a sealed text belongs to, such as `webhook-secret:<integration id>`: it opens nowhere else. */
export type SealContext = `${Purpose}:${string}`;
