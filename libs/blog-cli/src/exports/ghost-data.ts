import { UnreadableExport } from './exported-post.ts';

export interface GhostPost {
  readonly id: string;
  readonly title: string | null;
  readonly slug: string | null;
  readonly html: string | null;
  /** What Ghost makes the HTML of, in JSON. */
  readonly lexical: string | null;
  /** The same of older ones. */
  readonly mobiledoc: string | null;
  readonly status: string | null;
  readonly type: string | null;
  /** Of old exports, in place of a type. */
  readonly isPage: boolean;
  readonly feature_image: string | null;
  readonly custom_excerpt: string | null;
  readonly published_at: string | null;
  /** `public`, or who may read it. */
  readonly visibility: string | null;
  readonly canonical_url: string | null;
  readonly codeinjection_head: string | null;
  readonly codeinjection_foot: string | null;
  /** Of old exports, in place of the rows of posts_meta. */
  readonly meta_title: string | null;
  readonly meta_description: string | null;
  readonly social: GhostSocial;
  /** Of old exports, in place of the rows of posts_authors. */
  readonly author_id: string | null;
}

/** What Ghost keeps of a user's profiles: addresses, or the names in them. */
export const PROFILES = [
  'twitter',
  'facebook',
  'threads',
  'bluesky',
  'mastodon',
  'tiktok',
  'youtube',
  'instagram',
  'linkedin',
] as const;

export interface GhostUser {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly email: string;
  readonly bio: string;
  readonly website: string;
  readonly profile_image: string;
  readonly profiles: Readonly<Record<(typeof PROFILES)[number], string>>;
}

export interface GhostData {
  readonly posts: readonly GhostPost[];
  readonly tags: readonly { readonly id: string; readonly name: string; readonly visibility: string | null }[];
  readonly posts_tags: readonly { readonly post_id: string; readonly tag_id: string; readonly sort_order: number }[];
  readonly posts_meta: readonly {
    readonly post_id: string;
    readonly meta_title: string | null;
    readonly meta_description: string | null;
    readonly feature_image_alt: string | null;
    readonly feature_image_caption: string | null;
    readonly social: GhostSocial;
  }[];
  readonly users: readonly GhostUser[];
  readonly posts_authors: readonly {
    readonly post_id: string;
    readonly author_id: string;
    readonly sort_order: number;
  }[];
}

/**
 * The tables of a Ghost export that posts are made of, whose shapes hold then.
 *
 * @throws UnreadableExport, which says what is wrong where
 */
export function dataOf(json: string): GhostData {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    throw new UnreadableExport(`The file is not JSON: ${(error as Error).message}`);
  }
  const data = tablesOf(read);
  if (!Array.isArray(data?.['posts'])) {
    throw new UnreadableExport(
      'The file is not a Ghost export: it has no posts. In Ghost, use Settings → Import/Export.',
    );
  }
  return {
    posts: rowsOf(data, 'posts', (row) => ({
      id: row.id('id'),
      title: row.text('title'),
      slug: row.text('slug'),
      html: row.text('html'),
      lexical: row.text('lexical'),
      mobiledoc: row.text('mobiledoc'),
      status: row.text('status'),
      type: row.text('type'),
      isPage: row.number('page') === 1,
      feature_image: row.text('feature_image') ?? row.text('image'),
      custom_excerpt: row.text('custom_excerpt'),
      published_at: row.time('published_at'),
      visibility: row.text('visibility'),
      canonical_url: row.text('canonical_url'),
      codeinjection_head: row.text('codeinjection_head'),
      codeinjection_foot: row.text('codeinjection_foot'),
      meta_title: row.text('meta_title'),
      meta_description: row.text('meta_description'),
      social: socialOf(row),
      author_id: row.optionalId('author_id'),
    })),
    tags: rowsOf(data, 'tags', (row) => ({
      id: row.id('id'),
      name: row.text('name') ?? '',
      visibility: row.text('visibility'),
    })),
    posts_tags: rowsOf(data, 'posts_tags', (row) => ({
      post_id: row.id('post_id'),
      tag_id: row.id('tag_id'),
      sort_order: row.number('sort_order'),
    })),
    posts_meta: rowsOf(data, 'posts_meta', (row) => ({
      post_id: row.id('post_id'),
      meta_title: row.text('meta_title'),
      meta_description: row.text('meta_description'),
      feature_image_alt: row.text('feature_image_alt'),
      feature_image_caption: row.text('feature_image_caption'),
      social: socialOf(row),
    })),
    users: rowsOf(data, 'users', (row) => ({
      id: row.id('id'),
      name: row.text('name') ?? '',
      slug: row.text('slug') ?? '',
      email: row.text('email') ?? '',
      bio: row.text('bio') ?? '',
      website: row.text('website') ?? '',
      profile_image: row.text('profile_image') ?? row.text('image') ?? '',
      profiles: Object.fromEntries(PROFILES.map((name) => [name, row.text(name) ?? ''])) as GhostUser['profiles'],
    })),
    posts_authors: rowsOf(data, 'posts_authors', (row) => ({
      post_id: row.id('post_id'),
      author_id: row.id('author_id'),
      sort_order: row.number('sort_order'),
    })),
  };
}

/** Texts and images for social networks. */
type GhostSocial = Readonly<Record<(typeof SOCIAL)[number], string | null>>;
const SOCIAL = [
  'og_title',
  'og_description',
  'og_image',
  'twitter_title',
  'twitter_description',
  'twitter_image',
] as const;

const socialOf = (row: Reader): GhostSocial =>
  Object.fromEntries(SOCIAL.map((name) => [name, row.text(name)])) as GhostSocial;

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function tablesOf(read: unknown): Values | null {
  if (!isValues(read)) return null;
  const [database] = Array.isArray(read['db']) ? (read['db'] as readonly unknown[]) : [];
  const data = (isValues(database) ? database['data'] : undefined) ?? read['data'];
  return isValues(data) ? data : null;
}

function rowsOf<Row>(data: Values, table: string, read: (row: Reader) => Row): Row[] {
  const rows = data[table] ?? [];
  if (!Array.isArray(rows)) throw new UnreadableExport(`The export is invalid: ${table} is not a list.`);
  return rows.map((values: unknown, index) => {
    const where = `${table}[${index}]`;
    if (!isValues(values)) throw new UnreadableExport(`The export is invalid: ${where} is not an object.`);
    return read(readerOf(values, where));
  });
}

type Reader = ReturnType<typeof readerOf>;

/** Values of a row by their names. */
function readerOf(values: Values, where: string) {
  function refuse(name: string, lack: string): never {
    throw new UnreadableExport(`The export is invalid: ${where}.${name} is ${lack}.`);
  }
  const text = (name: string): string | null => {
    const value = values[name] ?? null;
    return value === null || typeof value === 'string' ? value : refuse(name, 'not text');
  };
  return {
    text,
    /** Of old exports these are numbers. */
    id(name: string): string {
      const value = values[name];
      if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
      return typeof value === 'string' && /^[\w-]{1,80}$/.test(value) ? value : refuse(name, 'not an ID');
    },
    optionalId(name: string): string | null {
      return values[name] == null ? null : this.id(name);
    },
    /** Flags are numbers here. */
    number(name: string): number {
      const value = values[name] ?? 0;
      return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : refuse(name, 'not a number');
    },
    /** Of old exports these are milliseconds. */
    time(name: string): string | null {
      const value = values[name];
      if (typeof value !== 'number') return text(name);
      const time = new Date(value);
      return Number.isNaN(time.getTime()) ? refuse(name, 'not a time') : time.toISOString();
    },
  };
}
