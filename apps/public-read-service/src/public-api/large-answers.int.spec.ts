import type { PublicBlogChanges } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import got from 'got';
import { blogPublished } from '../../test/events.ts';
import { PUBLIC, startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

const POSTS = 100;
/** 90 kB each, 9 MB a page: large, and quick to make. */
const content = (index: number) =>
  `<p>${`Post ${index}, as <a href="[INTERNAL:post-0]">linked</a> “to” &amp; fro. `.repeat(1_200)}</p>`;

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  for (let from = 0; from < POSTS; from += 20) {
    await service.apply(
      ...Array.from({ length: 20 }, (_, at) => {
        const index = from + at;
        return blogPublished({
          project_id: project.id,
          blog_id: randomUUID(),
          site_url: 'https://tea.example',
          publication_began_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
          revision: { slug: `post-${index}`, title: `Post ${index}`, content: content(index) },
        });
      }),
    );
  }
});
afterAll(() => service?.[Symbol.asyncDispose]());

const list = (offset: number) => `/blogs?include_content=true&limit=100&offset=${offset}`;
const untilFree = () => eventually(() => expect(service.largeAnswers.bytes).toBe(0));

describe('a page whose contents are too large for memory', () => {
  it('reads like a page that is read in one piece', async () => {
    const { blogs, ...rest } = await project.read<{ blogs: object[] }>(list(0));
    expect(rest).toEqual({ total: POSTS, limit: 100, offset: 0 });
    const single = [];
    for (let offset = 0; offset < POSTS; offset += 10) {
      single.push(
        ...(await project.read<{ blogs: object[] }>(`/blogs?include_content=true&limit=10&offset=${offset}`)).blogs,
      );
    }
    expect(blogs).toEqual(single);
    await untilFree();
  });

  it('is taken apart and rendered a post at a time, so that nobody else waits for all of it', async () => {
    const { parse } = JSON;
    let longest = 0;
    JSON.parse = (text: string, ...more) => {
      longest = Math.max(longest, text.length);
      return parse(text, ...more) as unknown;
    };
    try {
      expect((await project.get('/blogs?include_content=true&limit=1')).statusCode).toBe(200);
      const longestOfOne = longest;
      expect(longestOfOne).toBeGreaterThan(content(0).length);
      longest = 0;
      expect((await project.get(list(3))).statusCode).toBe(200);
      expect(longest).toBeLessThan(1.1 * longestOfOne);
    } finally {
      JSON.parse = parse;
    }
    await untilFree();
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is the same in %s', async (coding, decode) => {
    const answer = await got(`${service.origin}${PUBLIC}${list(1)}`, {
      headers: { authorization: `Bearer ${project.key}`, 'accept-encoding': coding },
      decompress: false,
      responseType: 'buffer',
    });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(decode(answer.body).toString()).toBe((await project.get(list(1))).body);
  });

  it('has the chosen fields only', async () => {
    const { blogs } = await project.read<{ blogs: { id: string; content: string }[] }>(list(0));
    const chosen = await project.read<{ blogs: object[] }>('/blogs?fields=content,id&limit=100');
    expect(chosen.blogs).toEqual(blogs.map(({ id, content: html }) => ({ id, content: html })));
    await untilFree();
  });

  it('is a feed as well', async () => {
    const { items } = await project.read<{ items: { id: string; content_html: string }[] }>('/feed.json?limit=100');
    const { blogs } = await project.read<{ blogs: { id: string; content: string }[] }>(list(0));
    expect(items.map(({ id, content_html }) => ({ id, content: content_html }))).toEqual(
      blogs.map(({ id, content: html }) => ({ id, content: html })),
    );
    const rss = (await project.get('/feed.xml?limit=100')).body;
    expect(rss.match(/<item>/g)).toHaveLength(POSTS);
    expect(rss).toMatch(/<\/item>\n<\/channel><\/rss>\n$/);
  });
});

/** An answer, and the longest JSON that was written in one piece for it. */
async function readWatched(project: TestProject, path: string): Promise<{ body: string; longest: number }> {
  const { stringify } = JSON;
  let longest = 0;
  JSON.stringify = (value: unknown, ...more: never[]) => {
    const text = stringify(value, ...more);
    longest = Math.max(longest, text.length);
    return text;
  };
  try {
    const { body } = await project.get(path);
    return { body, longest };
  } finally {
    JSON.stringify = stringify;
  }
}

describe('a page of small posts with many links', () => {
  const LINKING = 12;
  /** With an address of 2,000 characters, as much as links may add to one post. */
  const LINKS = 130;
  let linking: TestProject;
  beforeAll(async () => {
    linking = await service.createProject({ siteUrl: `https://tea.example/${'s'.repeat(1_980)}` });
    await linking.publish({ slug: 't' }, { began: '2020-01-01T00:00:00.000Z' });
    for (let post = 0; post < LINKING; post += 1) {
      await linking.publish({ content: '<a href="[INTERNAL:t]">t</a>'.repeat(LINKS) });
    }
  });

  it.each(['/blogs?include_content=true&limit=12', '/feed.json?limit=12'])(
    'is rendered a post at a time as well, so that nobody else waits for all of it: %s',
    async (path) => {
      const { body, longest } = await readWatched(linking, path);
      expect(body.split('/blog/t/').length - 1).toBe(LINKING * LINKS);
      expect(longest).toBeLessThan(1_048_576);
      await untilFree();
    },
  );

  it('has fewer of what has changed', async () => {
    const sizes: number[] = [];
    for (let since = '0', more = true; more;) {
      const path = `/blogs?since=${since}&limit=100&include_content=true`;
      const page = await linking.read<PublicBlogChanges>(path);
      sizes.push(page.changes.length);
      [since, more] = [page.next_since, page.has_more];
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(LINKING + 1);
    expect(Math.max(...sizes)).toBeLessThan(LINKING);
  });
});

describe('large answers of one project', () => {
  it('take turns, and are refused only with 500 and Retry-After; other projects are served, and the next try succeeds', async () => {
    const other = await service.createProject();
    await other.publish({ slug: 'tea' });
    const [answers, beside] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, (_, offset) => project.get(list(offset)))),
      other.get('/blogs/tea'),
    ]);
    expect(beside.statusCode).toBe(200);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
    for (const { statusCode, headers, body } of refused) {
      expect(statusCode).toBe(500);
      expect(headers['retry-after']).toMatch(/^\d+$/);
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['detail']);
    }
    await untilFree();
    expect((await project.get(list(5))).statusCode).toBe(200);
  });

  it('count until they are read off: who does not read gets no third, and a reader that leaves gives its memory back', async () => {
    const readers = await Promise.all([readNothing(list(10)), readNothing(list(11))]);
    expect(service.largeAnswers.bytes).toBeGreaterThan(16_000_000);
    const refused = await project.get(list(12));
    expect(refused.statusCode).toBe(500);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    for (const reader of readers) reader.destroy();
    await untilFree();
    expect((await project.get(list(12))).statusCode).toBe(200);
  });
});

describe('an account that asks for many large pages', () => {
  it('keeps another’s large page waiting for one of them, not for all', async () => {
    const other = await service.createProject();
    for (let post = 0; post < 3; post += 1) await other.publish({ content: content(0).repeat(5) });
    const done: string[] = [];
    const note = async (name: string, answer: Promise<{ statusCode: number }>) => {
      const { statusCode } = await answer;
      done.push(`${name} ${statusCode}`);
    };
    const many = Array.from({ length: 8 }, (_, at) => note('one of many', project.get(list(20 + at))));
    await Promise.race(many);
    const before = done.length;
    await Promise.all([...many, note('other', other.get('/blogs?include_content=true'))]);
    expect(done.indexOf('other 200')).toBeGreaterThan(0);
    expect(done.indexOf('other 200') - before).toBeLessThan(4);
  });
});

describe('a slow reader of a large page', () => {
  const SNAPSHOT_MS = 2_000;

  it('keeps others from their large pages for two seconds, and gets all of its own', async () => {
    const other = await service.createProject();
    for (let post = 0; post < 3; post += 1) await other.publish({ content: content(0).repeat(5) });
    const slow = await readNothing(list(30));
    expect((await other.get('/blogs?include_content=true')).statusCode).toBe(200);
    await sleep(SNAPSHOT_MS);
    const { blogs } = JSON.parse(await text(slow)) as { blogs: object[] };
    expect(blogs).toHaveLength(POSTS - 30);
  });

  it('is cut off when the project changes after that: no page shows two states of it', async () => {
    const slow = await readNothing(list(31));
    await sleep(SNAPSHOT_MS + 500);
    await project.publish({ slug: 'new' });
    await expect(text(slow)).rejects.toThrow('aborted');
    await untilFree();
  });
});

describe('a site’s build', () => {
  it('gets a thousand uncached posts and lists, many concurrently, each with 200', async () => {
    const site = await service.createProject();
    await site.publish({ slug: 'tea' });
    const paths = Array.from({ length: 1_000 }, (_, at) =>
      at % 4 === 0 ? `/blogs?include_content=true&offset=${at}` : `/blogs/tea?${at}`,
    );
    const statuses = new Map<number, number>();
    const build = async (): Promise<void> => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const { statusCode } = await site.get(path);
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 20 }, build));
    expect([...statuses]).toEqual([[200, 1_000]]);
  });
});

/** Asks, and takes no more than the head of the answer from its connection. */
function readNothing(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${project.key}` };
  return new Promise((resolve, reject) => {
    httpRequest(`${service.origin}${PUBLIC}${path}`, { headers, agent: false }, (response) => {
      response.pause();
      response.on('error', () => undefined);
      resolve(response);
    })
      .on('error', reject)
      .end();
  });
}
