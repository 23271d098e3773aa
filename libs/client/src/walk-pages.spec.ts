import { randomUUID } from 'node:crypto';
import type { ListedPost } from './posts.ts';
import { walkPages } from './walk-pages.ts';

/** A blog whose list is what the public API gives, and to which something may happen before each answer. */
function makeBlog(size: number) {
  let clock = Date.UTC(2026, 0, 1);
  const posts: ListedPost[] = [];
  const publish = (id: string = randomUUID()) => {
    // Two of a bulk publish have the same time.
    clock += clock % 3 === 0 ? 0 : 1;
    clock += 1;
    posts.push({ id, published_at: new Date(clock - (clock % 2)).toISOString() } as ListedPost);
    posts.sort((a, b) => b.published_at.localeCompare(a.published_at) || (a.id < b.id ? 1 : -1));
    return id;
  };
  const unpublish = (at: number) => posts.splice(at, 1)[0]?.id;
  for (let number = 0; number < size; number += 1) publish();
  return { posts, publish, unpublish };
}

/** Reads all, while `meanwhile` is called before each answer. */
async function readAll(posts: readonly ListedPost[], pageSize: number, meanwhile: (request: number) => void) {
  const given: string[] = [];
  let requests = 0;
  const readPage = (offset: number, limit: number) => {
    requests += 1;
    meanwhile(requests);
    return Promise.resolve(posts.slice(offset, offset + limit));
  };
  for await (const page of walkPages(readPage, pageSize)) given.push(...page.map(({ id }) => id));
  return { given, requests };
}

const idsOf = (posts: readonly ListedPost[]) => posts.map(({ id }) => id);

describe('walkPages', () => {
  it.each([0, 1, 2, 9, 10, 11, 99, 250])('gives each of %i posts once, in order', async (size) => {
    const { posts } = makeBlog(size);
    expect((await readAll(posts, 10, () => undefined)).given).toEqual(idsOf(posts));
  });

  it('makes one request more than there are pages, for new posts', async () => {
    const { posts } = makeBlog(990);
    expect((await readAll(posts, 100, () => undefined)).requests).toBe(11);
  });

  it('also yields posts that are published during it, and none twice', async () => {
    const { posts, publish } = makeBlog(95);
    const { given } = await readAll(posts, 10, (request) => {
      if (request % 2 === 0 && request < 14) for (let count = 0; count < 17; count += 1) publish();
    });
    expect(new Set(given).size).toBe(given.length);
    expect([...given].sort()).toEqual(idsOf(posts).sort());
  });

  it('misses nothing when posts before the next page are unpublished', async () => {
    const { posts, unpublish } = makeBlog(100);
    const { given } = await readAll(posts, 10, (request) => {
      if (request === 5) for (let count = 0; count < 35; count += 1) unpublish(0);
    });
    expect(given).toEqual(expect.arrayContaining(idsOf(posts)));
    expect(new Set(given).size).toBe(given.length);
  });

  it('yields a post that was unpublished and published again, from the front', async () => {
    const { posts, publish, unpublish } = makeBlog(100);
    const id = posts[80]!.id;
    const { given } = await readAll(posts, 10, (request) => {
      if (request === 3) publish(unpublish(80));
    });
    expect(given.filter((one) => one === id)).toEqual([id]);
  });

  it('gives a post that came at the time of the newest and is sorted after it, at the end of a page', async () => {
    const post = (id: string, published_at: string) => ({ id, published_at }) as ListedPost;
    const posts = [post('m', '2026-01-01'), post('a', '2025-01-01')];
    const { given } = await readAll(posts, 10, (request) => {
      if (request !== 2) return;
      const newer = Array.from({ length: 9 }, (_, index) => post(`n${index}`, `2026-02-0${9 - index}`));
      posts.splice(0, 1, ...newer, post('m', '2026-01-01'), post('b', '2026-01-01'));
    });
    expect([...given].sort()).toEqual(idsOf(posts).sort());
  });

  it('gives each post once that is there from beginning to end, through random changes', async () => {
    for (let round = 0; round < 300; round += 1) {
      const { posts, publish, unpublish } = makeBlog(Math.floor(Math.random() * 120));
      const stayed = new Set(idsOf(posts));
      const { given } = await readAll(posts, 2 + Math.floor(Math.random() * 12), (request) => {
        if (request > 40) return;
        for (let count = 0; count < Math.random() * 4; count += 1) {
          const gone = Math.random() < 0.5 ? unpublish(Math.floor(Math.random() * posts.length)) : undefined;
          if (gone === undefined || Math.random() < 0.3) publish(gone);
          else stayed.delete(gone);
        }
      });
      expect(new Set(given).size).toBe(given.length);
      expect([...stayed].filter((id) => !given.includes(id))).toEqual([]);
    }
  });
});
