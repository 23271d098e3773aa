import type { IntegrationCreateRequest } from '../../generated/types.gen.ts';

/** The systems that posts can be written into. */
export const DESTINATION_KINDS = ['wordpress', 'ghost', 'webflow', 'shopify', 'devto'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** What a system needs besides its address, as it is typed. */
export interface DestinationParts {
  readonly secret: string;
  /** By the name of each setting; one within another has a dot in its name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What is asked for when an integration with a system is added. Settings that are left empty are left out. */
export function destinationRequest(
  kind: DestinationKind,
  { name, url }: { readonly name: string; readonly url: string },
  { secret, settings }: DestinationParts,
): IntegrationCreateRequest {
  const typed = (setting: string) => settings[setting]?.trim() ?? '';
  switch (kind) {
    case 'wordpress':
      return { kind, name, url, secret, settings: { username: typed('username') } };
    case 'ghost':
      return { kind, name, url, secret };
    case 'webflow': {
      const fields = Object.keys(settings)
        .filter((setting) => setting.startsWith(FIELDS) && typed(setting) !== '')
        .map((setting) => [setting.slice(FIELDS.length), typed(setting)]);
      const mapping = { content: '', ...Object.fromEntries(fields) } as { content: string };
      return { kind, name, url, secret, settings: { collection_id: typed('collection_id'), fields: mapping } };
    }
    case 'shopify':
      return { kind, name, url, secret, settings: { blog_id: typed('blog_id'), author: typed('author') } };
    case 'devto':
      return { kind, name, secret };
  }
}

const FIELDS = 'fields.';
