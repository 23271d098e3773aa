import { createReadCache } from '../cache/read-cache.ts';
import { createAnswerRequest, type PublicRequest } from './answer-request.ts';
import { parsePublicQuery } from '../request/parse-public-query.ts';
import type { Answer } from '../http/answer.ts';
import { createFindProject } from './find-project.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';

const key = `pk_live_${'a'.repeat(32)}`;
/** SHA-256 of `key`. */
const KEY_HASH = '53f4ec1115f4097121cf97be800927df2898469e749d526c66922fad4edc80be';
const target = '/blog/api/v1/public/blogs';
const projectId = '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11';
const accountId = 'b0a8d7c4-6a1e-4d0f-9d1c-2f7f5b8e3c21';
const PUBLISHED_MS = Date.parse('2026-01-01T00:00:00.250Z');

type RequestParts = Partial<
  Parameters<typeof parsePublicQuery>[0] & Pick<PublicRequest, 'ifNoneMatch' | 'ifModifiedSince' | 'coding'>
>;

/** A project without posts in a store that writes down what it is asked, and a service before it. */
function startEmptyProject({ leased = true }: { leased?: boolean } = {}) {
  const asked: string[] = [];
  const state = { version: PUBLISHED_MS, nowMs: PUBLISHED_MS + 3_600_000, isThere: true };
  const links = () => ({
    version: String(state.version),
    siteUrl: null,
    targets: new Map(),
    translated: new Map(),
    authors: new Map(),
  });
  const store: Partial<PublicReadStore> = {
    findProjects: (keyHashes) => {
      asked.push('findProjects');
      const project = { projectId, accountId, version: String(state.version), isSuspended: false };
      return Promise.resolve(new Map(keyHashes.includes(KEY_HASH) ? [[KEY_HASH, project]] : []));
    },
    listBlogs: () => {
      asked.push('listBlogs');
      return Promise.resolve(
        state.isThere ? { ...links(), name: null, contentBytes: 0, isLarge: false, total: 0, blogs: [] } : null,
      );
    },
    findBlog: () => {
      asked.push('findBlog');
      return Promise.resolve({ ...links(), name: null, blog: null, movedTo: null });
    },
  };
  const cache = createReadCache(
    1_048_576,
    () => 0,
    () => 0,
  );
  const lease = (isHeld: boolean) => cache.allowUntil(isHeld ? 1 : 0, 1);
  lease(leased);
  const answerRequest = createAnswerRequest({
    store: store as PublicReadStore,
    connections: 5,
    findProject: createFindProject(store as PublicReadStore),
    cache,
    rateLimit: null,
    nowMs: () => state.nowMs,
  });
  const ask = async (given: RequestParts = {}): Promise<Answer> => {
    const { ifNoneMatch, ifModifiedSince, coding = 'identity' } = given;
    const read = { method: 'GET', target, authorization: `Bearer ${key}`, ...given };
    const cacheKey = `${coding} ${read.target} ${read.authorization}`;
    const conditions = { ifNoneMatch, ifModifiedSince };
    const found = cache.find(cacheKey)?.representation.answer(conditions, state.nowMs);
    return found ?? (await answerRequest({ ...parsePublicQuery(read), coding, cacheKey, ...conditions })).answer;
  };
  return { state, asked, ask, cache, lease };
}

function header({ headers }: Answer, name: string): string | undefined {
  const at = headers.indexOf(name);
  return at === -1 ? undefined : headers[at + 1];
}

describe('the work that a request causes', () => {
  it('holds its slot until it is compressed, which bounds the answers in memory', async () => {
    const { ask, asked } = startEmptyProject();
    const reads = () => asked.filter((question) => question === 'listBlogs').length;
    let answered = 0;
    let most = 0;
    const all = Array.from({ length: 30 }, async (_, offset) => {
      await ask({ target: `${target}?offset=${offset}`, coding: 'br' });
      answered += 1;
    });
    const watch = async () => {
      for (; answered < 30; await new Promise((resolve) => setImmediate(resolve)))
        most = Math.max(most, reads() - answered);
    };
    await Promise.all([...all, watch()]);
    // Two of the five connections, and an answer or two that are ready and not yet given.
    expect(most).toBeLessThanOrEqual(4);
    expect(reads()).toBe(30);
  });

  it.each([
    ['no key', { authorization: undefined }],
    ['an unknown key', { authorization: `Bearer pk_live_${'b'.repeat(32)}` }],
    ['a malformed key', { authorization: 'Bearer nonsense' }],
    ['an agent key', { authorization: `Bearer sk_agent_${'b'.repeat(40)}` }],
    ['an empty key', { authorization: undefined, target: `${target}?api_key=` }],
  ])('is one look-up and nothing else with %s (contract §4.6)', async (_name, given) => {
    const { ask, asked } = startEmptyProject();
    expect((await ask(given)).status).toBe(401);
    expect(asked).toEqual(['findProjects']);
  });

  it('is one look-up and one read, then none while the lease lasts and nothing changes', async () => {
    const { ask, asked } = startEmptyProject();
    const first = await ask();
    expect(first.status).toBe(200);
    expect(asked).toEqual(['findProjects', 'listBlogs']);
    expect((await ask()).body).toEqual(first.body);
    expect((await ask({ ifNoneMatch: header(first, 'etag')! })).status).toBe(304);
    const other = { target: `${target}?limit=50&unknown=1`, ifNoneMatch: header(first, 'etag')! };
    expect((await ask(other)).status).toBe(304);
    expect(asked.length).toBe(2);
  });

  it('is repeated after a change', async () => {
    const { ask, asked, cache, state } = startEmptyProject();
    const first = await ask();
    state.version += 1;
    cache.drop([projectId]);
    expect(header(await ask(), 'etag')).not.toBe(header(first, 'etag'));
    expect(asked).toEqual(['findProjects', 'listBlogs', 'findProjects', 'listBlogs']);
  });

  it('is read each time without a lease, even if it is in memory', async () => {
    const { ask, asked, lease } = startEmptyProject();
    await ask();
    lease(false);
    await Promise.all([ask(), ask()]);
    expect(asked.filter((question) => question === 'listBlogs').length).toBe(3);
    expect(asked.filter((question) => question === 'findProjects').length).toBe(3);
  });

  it('is one read for all concurrent requests for the same', async () => {
    const { ask, asked } = startEmptyProject();
    await ask({ target: `${target}/none` });
    asked.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(asked).toEqual(['listBlogs']);
  });

  it('includes no read and no rendering when the answer is 304 by the version alone', async () => {
    const { ask, asked } = startEmptyProject({ leased: false });
    const first = await ask();
    asked.length = 0;
    const again = await ask({ ifNoneMatch: header(first, 'etag')! });
    expect(again).toMatchObject({ status: 304, body: null });
    expect(asked).toEqual(['findProjects']);
  });

  it('includes no query for a slug that no blog can have', async () => {
    const { ask, asked } = startEmptyProject();
    expect((await ask({ target: `${target}/a%00b` })).status).toBe(404);
    expect(asked).toEqual(['findProjects']);
  });

  it('is none for an unknown path', async () => {
    const { ask, asked } = startEmptyProject();
    expect((await ask({ target: `${target}/a/b` })).status).toBe(404);
    expect(asked).toEqual([]);
  });
});

describe('a change committed between the look-up of the key and the read', () => {
  it('gives the tag of what was read, and is not cached under the version of the look-up', async () => {
    const { ask, state, asked } = startEmptyProject();
    const before = await ask({ target: `${target}/none` });
    expect(before.status).toBe(404);
    state.version += 1;
    const after = await ask();
    expect(header(await ask(), 'etag')).toBe(header(after, 'etag'));
    expect(asked.filter((question) => question === 'listBlogs').length).toBe(2);
  });

  it('is 401 when it deleted the project', async () => {
    const { ask, state } = startEmptyProject();
    state.isThere = false;
    expect((await ask()).status).toBe(401);
  });
});

describe('Last-Modified', () => {
  it('is the end of the version’s second, once no other change can fall into it', async () => {
    const { ask, state } = startEmptyProject();
    state.nowMs = PUBLISHED_MS + 60_000;
    expect(header(await ask(), 'last-modified')).toBeUndefined();
    state.nowMs = PUBLISHED_MS + 61_000;
    expect(header(await ask(), 'last-modified')).toBe('Thu, 01 Jan 2026 00:00:01 GMT');
  });

  it('gives 304 for If-Modified-Since, but never overrides If-None-Match', async () => {
    const { ask } = startEmptyProject();
    const since = (time: string, more: RequestParts = {}) => ask({ ifModifiedSince: time, ...more });
    expect((await since('Thu, 01 Jan 2026 00:00:01 GMT')).status).toBe(304);
    expect((await since('Fri, 02 Jan 2026 00:00:00 GMT')).status).toBe(304);
    expect((await since('Thu, 01 Jan 2026 00:00:00 GMT')).status).toBe(200);
    expect((await since('yesterday')).status).toBe(200);
    expect((await since('Fri, 02 Jan 2026 00:00:00 GMT', { ifNoneMatch: '"other"' })).status).toBe(200);
  });

  it('ignores an If-Modified-Since that is no HTTP date', async () => {
    const { ask } = startEmptyProject();
    for (const ifModifiedSince of ['2099', '2099-01-01', '2099-01-01T00:00:00Z', 'tomorrow', '']) {
      expect((await ask({ ifModifiedSince })).status).toBe(200);
    }
  });
});
