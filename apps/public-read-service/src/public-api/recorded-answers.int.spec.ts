import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@blog-content/testing';
import { startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

/** A line per request: the start of its answer's SHA-256, and the path. Delete the file to record it again. */
const RECORD = join(import.meta.dirname, '../../test/recorded-answers.txt');
const REQUESTS = 500;
const WORDS = ['tea', 'water', 'leaf', 'hot', 'green', 'Oolong', 'pot', 'cup', 'steam', 'Über', '日本', 'a & b', '<i>'];
/** What a post can have, and no answer has unless it is asked for. Without `noindex`, which changes the sitemap. */
const UNASKED = {
  canonical_url: 'https://first.example/post',
  og_title: 'Shared',
  og_description: 'Shared, described',
  og_image_url: 'https://cdn.example/og.jpg',
  x_title: 'On X',
  x_description: 'On X, described',
  x_image_url: 'https://cdn.example/x.jpg',
};

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  await publishAll(project);
});
afterAll(() => service?.[Symbol.asyncDispose]());

const random = seededRandom(49);
const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!;
const some = (count: number) => Array.from({ length: Math.floor(random() * (count + 1)) }, () => oneOf(WORDS));
const text = (count: number) => [oneOf(WORDS), ...some(count)].join(' ');
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const POSTS = 60;
const slugOf = (number: number) => `post-${number}`;

async function publishAll(to: TestProject) {
  for (let number = 0; number < POSTS; number += 1) {
    const html = `<p>${text(9)}</p><p>See <a href="[INTERNAL:${slugOf(Math.floor(random() * POSTS))}]">it</a>.</p>`;
    const day = String(1 + (number % 28)).padStart(2, '0');
    await to.publish(
      {
        title: text(4),
        slug: slugOf(number),
        content: oneOf([
          html,
          `${html}<h2>${text(2)}</h2><img src="https://cdn.example/${number}.jpg" alt="${number}" />`,
          '',
        ]),
        excerpt: oneOf(['', text(6)]),
        meta_title: oneOf([null, text(3)]),
        meta_description: oneOf([null, text(6)]),
        featured_image_url: oneOf([null, `https://cdn.example/hero-${number}.jpg`]),
        categories: some(2),
        tags: some(3),
        keyword: oneOf([null, 'tea']),
        ...oneOf([{}, UNASKED]),
      },
      {
        id: id(number),
        began: `2026-01-${day}T08:00:00.000Z`,
        at: `2026-02-${day}T08:00:00.000Z`,
        aliases: number % 7 === 0 ? [`old-${number}`] : [],
      },
    );
  }
  for (const number of [5, 25, 45]) await to.unpublish(id(number));
}

/** A path of any route, as a reader may ask for it. */
function somePath(): string {
  const slug = oneOf([slugOf(Math.floor(random() * POSTS)), 'old-7', 'none']);
  const parameters = new URLSearchParams();
  const may = (name: string, values: readonly string[]) => random() < 0.4 && parameters.set(name, oneOf(values));
  switch (oneOf(['list', 'list', 'list', 'one', 'one', 'changes', 'related', 'json-ld', 'file'])) {
    case 'one':
      may('fields', ['title,slug', 'content,word_count', 'id', 'updated_at,tags']);
      return `/blogs/${slug}?${parameters.toString()}`;
    case 'related':
      may('limit', ['1', '3', '20']);
      return `/blogs/${slug}/related?${parameters.toString()}`;
    case 'json-ld':
      return `/blogs/${slug}/json-ld`;
    case 'changes':
      may('limit', ['1', '10', '100']);
      may('include_content', ['true', 'false']);
      return `/blogs?since=0&${parameters.toString()}`;
    case 'file':
      return oneOf([
        '/blogs/sitemap',
        '/redirects',
        '/feed.xml?limit=5',
        '/feed.json?limit=7',
        '/sitemap.xml',
        '/llms.txt',
      ]);
    default:
      may('limit', ['1', '10', '100', '0', '101']);
      may('offset', ['0', '3', '40', '500', '-1']);
      may('category', WORDS);
      may('tag', WORDS);
      may('q', WORDS);
      may('include_content', ['true', 'false', '2']);
      may('fields', ['title,slug', 'content', 'id,published_at', 'nothing']);
      return `/blogs?${parameters.toString()}`;
  }
}

it(`answers ${REQUESTS} recorded requests byte for byte as before fields on request existed`, async () => {
  const lines: string[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    const path = somePath();
    const { statusCode, body } = await project.get(path);
    const kept = body
      // A position is opaque, a feed has the time of the last change, and a refusal of `fields` names all that exist.
      .replace(/"next_since":"[^"]*"|<lastBuildDate>[^<]*/, '')
      .replace(/comma-separated list of: .*/, '');
    const hash = createHash('sha256').update(`${statusCode} ${kept}`).digest('hex').slice(0, 16);
    lines.push(`${hash} ${path}`);
  }
  if (!existsSync(RECORD)) {
    writeFileSync(RECORD, `${lines.join('\n')}\n`);
    throw new Error(`Recorded in ${RECORD}. Run the test again.`);
  }
  expect(lines).toEqual(readFileSync(RECORD, 'utf8').trimEnd().split('\n'));
});
