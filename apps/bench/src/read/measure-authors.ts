import pg from 'pg';
import { getOnce } from '../load/http-request.ts';
import { percentile } from '../percentiles.ts';
import { CONNECTIONS, type BenchContext } from './bench-context.ts';
import { measureOnce, type Figures } from './compare.ts';
import { publicReads, randomGets } from './public-reads.ts';
import { verdict } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';

const NAME = 'list with authors';
/** A list costs this many times as much with its authors, at most. */
const NEED = 1.2;
const REQUESTS = 2_000;
const AUTHORS = 20;
const FIELDS = [
  ...['id', 'slug', 'title', 'excerpt', 'meta_title', 'meta_description', 'featured_image_url', 'categories', 'tags'],
  'published_at',
].join(',');

/** Compares lists with and without `fields=authors`, in turns. Each post has three of twenty authors. */
export async function measureAuthors(bench: BenchContext): Promise<void> {
  if (!bench.selected(NAME)) return;
  await nameAuthors(bench.dataSetUrl);
  await using resources = new AsyncDisposableStack();
  const product = await startMeasuredService(bench, {
    cacheMb: 0,
    logFile: `${bench.folder}/read-service-authors.log`,
  });
  resources.defer(() => product.stop());
  const [list] = publicReads(bench.size);
  const getsOf = (fields: string) =>
    randomGets(list!, bench.size, REQUESTS, 7).map((get) => ({ ...get, path: `${get.path}?fields=${fields}` }));
  const [without, withAuthors] = [getsOf(FIELDS), getsOf(`${FIELDS},authors`)];
  const { body } = await getOnce(product.port, withAuthors[0]!);
  if (!body.toString().includes('Author 7 of')) throw new Error(`${NAME}: the list has no authors.`);
  const measured = { without: [] as Figures[], withAuthors: [] as Figures[] };
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [which, gets] of [['without', without] as const, ['withAuthors', withAuthors] as const]) {
      const job = {
        connections: CONNECTIONS.single,
        durationMs: bench.seconds * 1000,
        gets,
        expected: { status: 200, bodyBytes: null },
      };
      const figures = await measureOnce(bench.generator, product, job);
      // The first round warms up.
      if (round > 0) measured[which].push(figures);
    }
  }
  const median = (of: readonly Figures[]) =>
    percentile(
      of.map(({ p50Ms }) => p50Ms),
      50,
    );
  const [before, after] = [median(measured.without), median(measured.withAuthors)];
  console.log(
    `\n${NAME}, cache off: ${list!.name}, p50 ${before.toFixed(2)} ms without and ${after.toFixed(2)} ms with three ` +
      `authors each; ${(after / before).toFixed(2)} times, need ≤ ${NEED}  ${verdict(after / before <= NEED)}`,
  );
}

/** Adds authors to the data set and its posts. Reads without `fields=authors` return the same as before. */
async function nameAuthors(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const authors = Array.from({ length: AUTHORS }, (_, number) => ({
      slug: `author-${number}`,
      former_slugs: [],
      name: `Author ${number} of ${AUTHORS}`,
      bio: 'Brews tea, and writes of it since 1998.',
      avatar_url: `https://cdn.example/authors/${number}.webp`,
      links: [{ label: 'Site', url: `https://author-${number}.example/` }],
      same_as: [`https://www.wikidata.org/wiki/Q${number}`],
    }));
    await client.query('UPDATE project SET authors = $1::jsonb WHERE authors IS NULL', [JSON.stringify(authors)]);
    await client.query(
      `UPDATE published_blog SET extra = extra || jsonb_build_object('authors', jsonb_build_array(
         'author-' || (hashtext(slug) & 7), 'author-' || (8 + (hashtext(slug) & 7)),
         'author-' || (16 + (hashtext(slug) & 3))))
       WHERE NOT extra ? 'authors'`,
    );
    await client.query('VACUUM ANALYZE published_blog');
  } finally {
    await client.end();
  }
}
