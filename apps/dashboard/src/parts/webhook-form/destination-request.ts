import type { IntegrationCreateRequest } from '../../generated/types.gen.ts';

/** The systems that posts can be written into. */
export const DESTINATION_KINDS = ['wordpress', 'ghost', 'webflow', 'shopify', 'devto'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** By the name of each setting what is typed; one of the fields of Webflow has `fields.` before its name. */
export type TypedSettings = Readonly<Record<string, string>>;

/** What a system needs besides its address, as it is typed. */
export interface DestinationParts {
  readonly secret: string;
  readonly settings: TypedSettings;
}

/** What is asked for when an integration with a system is added. */
export function destinationRequest(
  kind: DestinationKind,
  { name, url }: { readonly name: string; readonly url: string },
  { secret, settings: typed }: DestinationParts,
): IntegrationCreateRequest {
  const given = { name, url, secret };
  switch (kind) {
    case 'wordpress':
      return { kind, ...given, settings: settingsOf(kind, typed) };
    case 'ghost':
      return { kind, ...given };
    case 'webflow':
      return { kind, ...given, settings: settingsOf(kind, typed) };
    case 'shopify':
      return { kind, ...given, settings: settingsOf(kind, typed) };
    case 'devto':
      return { kind, name, secret };
  }
}

const FIELDS = 'fields.';

/** What a choice is typed as. */
export const CHOSEN = 'true';

const SETTINGS = {
  wordpress: (of: (name: string) => string) => ({
    username: of('username'),
    create_authors: of('create_authors') === CHOSEN,
  }),
  ghost: () => ({}),
  webflow: (of: (name: string) => string, typed: TypedSettings) => ({
    collection_id: of('collection_id'),
    fields: { content: of('fields.content'), ...mappingOf(typed) },
  }),
  shopify: (of: (name: string) => string) => ({ blog_id: of('blog_id'), author: of('author') }),
  devto: () => ({}),
};

/** Settings of a system as the service has them. What is left empty of Webflow's fields is left out. */
export function settingsOf<Kind extends DestinationKind>(
  kind: Kind,
  typed: TypedSettings,
): ReturnType<(typeof SETTINGS)[Kind]> {
  return SETTINGS[kind]((name) => typed[name]?.trim() ?? '', typed) as ReturnType<(typeof SETTINGS)[Kind]>;
}

function mappingOf(typed: TypedSettings): Record<string, string> {
  const fields = Object.entries(typed).map(([name, value]) => [name, value.trim()] as const);
  const given = fields.filter(([name, value]) => name.startsWith(FIELDS) && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name.slice(FIELDS.length), value]));
}

/** The service's settings, as the form shows them. */
export function typedSettings(settings: Readonly<Record<string, unknown>>): TypedSettings {
  const { links: _links, fields = {}, ...others } = settings;
  const mapping = Object.entries(fields as object).map(([name, value]) => [`${FIELDS}${name}`, value] as const);
  const chosen = Object.entries(others).flatMap(([name, value]) => (value === true ? [[name, CHOSEN] as const] : []));
  const texts = [...Object.entries(others), ...chosen, ...mapping].filter((entry): entry is [string, string] => {
    const [, value] = entry as readonly [string, unknown];
    return typeof value === 'string';
  });
  return Object.fromEntries(texts);
}
