import { migrateDatabase } from '@blog-content/database-migrations';
import { prismaFolderOf } from '@blog-content/local-services';
import { freshDatabase, queryOnce } from '../../processes/databases.ts';
import type { BenchContext } from '../bench-context.ts';
import { keyOf, projectIdOf } from '../data-set/data-set.ts';
import { makeDataSet } from '../data-set/make-data-set.ts';
import { ATTACKED_SIZE, ATTACKERS, measureOthers, type ReadAttack } from './measure-others.ts';

/** Concurrent answers, by the attackers in turn. */
const LARGE_LISTS = 6;
/** Each attacker has a hundred and some large posts: 48 MB a page, as large as contents may be. */
const LARGE_POSTS = 110;
const LARGE_POST_BYTES = 480_000;

/**
 * How long the reads of other projects take, and how much memory the service, while large pages are asked for six at
 * once.
 */
export async function measureLarge(bench: BenchContext): Promise<void> {
  const ofLists = (attackers: number) =>
    Array.from({ length: LARGE_LISTS }, (_, place) => ({
      path: `/blogs?include_content=true&limit=100&offset=${place}`,
      key: keyOf(place % attackers),
    }));
  const attacks: ReadAttack[] = [
    { name: 'large: nobody attacks', gets: [], atOnce: 0 },
    { name: `large: ${LARGE_LISTS} lists of 100 at once, one project`, gets: ofLists(1), atOnce: LARGE_LISTS },
    {
      name: `large: ${LARGE_LISTS} lists of 100 at once, ${ATTACKERS} projects`,
      gets: ofLists(ATTACKERS),
      atOnce: LARGE_LISTS,
    },
  ];
  if (!attacks.some(({ name }) => bench.selected(name))) return;
  const readModelUrl = await makeLargePosts(bench);
  console.log('\nlarge answers');
  await measureOthers(bench, readModelUrl, attacks);
}

async function makeLargePosts(bench: BenchContext): Promise<string> {
  const readModelUrl = await freshDatabase(bench.databaseUrl('postgres'), 'bench_large', bench.databaseUrl);
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await makeDataSet(readModelUrl, ATTACKED_SIZE);
  const ids = Array.from({ length: ATTACKERS }, (_, project) => `'${projectIdOf(project)}'`).join(', ');
  await queryOnce(
    readModelUrl,
    `INSERT INTO published_blog (id, project_id, slug, title, excerpt, categories, tags, segments, link_slugs, published_at, updated_at)
     SELECT gen_random_uuid(), project_id, 'large-' || n, 'Large post ' || n, '', '{}', '{}',
       jsonb_build_array(repeat('<p>' || md5(n::text) || '</p> ', ${LARGE_POST_BYTES / 40})), '{}', now(), now()
     FROM unnest(ARRAY[${ids}]::uuid[]) AS project_id, generate_series(1, ${LARGE_POSTS}) AS n`,
  );
  return readModelUrl;
}

const AT_ONCE = 48;
/** None is the same as another, so that no answer is shared or kept. */
const ASKED = 4_800;
/** Of each attacker. */
const POSTS = 20_000;

/** How long the reads of other projects take during 48 concurrent requests that look at all posts of a project. */
export async function measureSearches(bench: BenchContext): Promise<void> {
  const asked = (attackers: number, pathOf: (number: number) => string) =>
    Array.from({ length: ASKED }, (_, number) => ({ path: pathOf(number), key: keyOf(number % attackers) }));
  const search = (number: number) => `/blogs?q=${number} or post&limit=1`.replaceAll(' ', '%20');
  const page = (number: number) => `/blogs?offset=${15_000 + number}`;
  const attacks: ReadAttack[] = [
    { name: 'searches: nobody attacks', gets: [], atOnce: 0 },
    { name: `searches: ${AT_ONCE} at once, one project`, gets: asked(1, search), atOnce: AT_ONCE },
    { name: `searches: ${AT_ONCE} at once, ${ATTACKERS} projects`, gets: asked(ATTACKERS, search), atOnce: AT_ONCE },
    { name: `searches: ${AT_ONCE} pages far behind at once, one project`, gets: asked(1, page), atOnce: AT_ONCE },
  ];
  if (!attacks.some(({ name }) => bench.selected(name))) return;
  const readModelUrl = await makeManyPosts(bench);
  console.log(`\nsearches among ${POSTS} posts, and pages of them`);
  await measureOthers(bench, readModelUrl, attacks);
}

async function makeManyPosts(bench: BenchContext): Promise<string> {
  const readModelUrl = await freshDatabase(bench.databaseUrl('postgres'), 'bench_searches', bench.databaseUrl);
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await makeDataSet(readModelUrl, ATTACKED_SIZE);
  const ids = Array.from({ length: ATTACKERS }, (_, project) => `'${projectIdOf(project)}'`).join(', ');
  await queryOnce(
    readModelUrl,
    `INSERT INTO published_blog (id, project_id, slug, title, excerpt, categories, tags, segments, link_slugs, published_at, updated_at, search)
     SELECT gen_random_uuid(), project_id, 'many-' || n, 'Post ' || n, excerpt, categories, tags, segments, '{}',
       published_at - n * interval '1 day', now(), search
     FROM published_blog CROSS JOIN generate_series(1, ${POSTS / (ATTACKED_SIZE.posts / ATTACKED_SIZE.projects)}) AS n
     WHERE project_id IN (${ids})`,
  );
  await queryOnce(readModelUrl, 'VACUUM ANALYZE published_blog');
  return readModelUrl;
}
