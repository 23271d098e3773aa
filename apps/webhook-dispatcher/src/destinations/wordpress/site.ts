import { z } from 'zod';
import type { TargetClient } from '../target-client.ts';

/** What a WordPress site says of its REST API. */
export interface WordPressSite {
  /** The address of a route, e.g. `/wp/v2/posts`. */
  readonly route: (path: string, query?: Readonly<Record<string, string>>) => string;
  /** Whether a plugin has fields for search engines and shared links. */
  readonly hasSeo: boolean;
  /** Whether Rank Math has its own route for its fields. */
  readonly hasRankMath: boolean;
}

/** JSON types by the names of fields. */
export type MetaTypes = ReadonlyMap<string, string>;

const index = z.object({ namespaces: z.array(z.string()) });
const schema = z.object({
  schema: z.object({
    properties: z.object({
      meta: z.object({ properties: z.record(z.string(), z.object({ type: z.string().catch('string') })) }).optional(),
    }),
  }),
});

type Route = WordPressSite['route'];

/** Sites without pretty permalinks have their routes in a parameter only. */
const pretty =
  (url: string): Route =>
  (path, query = {}) => {
    const search = new URLSearchParams(query).toString();
    return `${url}/wp-json${path}${search === '' ? '' : `?${search}`}`;
  };
const plain =
  (url: string): Route =>
  (path, query = {}) =>
    `${url}/?${new URLSearchParams({ rest_route: path, ...query }).toString()}`;

export async function lookAtSite(url: string, client: TargetClient): Promise<WordPressSite> {
  const first = await client.call({
    method: 'GET',
    url: pretty(url)('/', { _fields: 'namespaces' }),
    // Where there are no pretty permalinks, the site's own page answers, or one of its web server.
    expected: [301, 302, 404],
    mayBePage: true,
  });
  const known = index.safeParse(first.json);
  const route = known.success ? pretty(url) : plain(url);
  const { namespaces } = known.success
    ? known.data
    : index.parse((await client.call({ method: 'GET', url: route('/', { _fields: 'namespaces' }) })).json);
  const hasRankMath = namespaces.includes('rankmath/v1');
  return { route, hasRankMath, hasSeo: hasRankMath || namespaces.includes('yoast/v1') };
}

/** The fields that plugins have there and let be written as a post's meta, with their JSON types. */
export async function readMetaTypes({ route }: WordPressSite, client: TargetClient): Promise<MetaTypes> {
  const described = // A site that hides what it takes gets the post without.
    (await client.call({ method: 'OPTIONS', url: route('/wp/v2/posts'), expected: [401, 403, 404, 405] })).json;
  const meta = schema.safeParse(described);
  const properties = meta.success ? (meta.data.schema.properties.meta?.properties ?? {}) : {};
  return new Map(Object.entries(properties).map(([key, { type }]) => [key, type]));
}
