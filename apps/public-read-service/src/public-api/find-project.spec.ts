import { createFindProject } from './find-project.ts';
import type { ProjectVersion } from '../queries/published-blog.ts';

const project = { projectId: 'a', accountId: 'ada', version: '1', isSuspended: false };

/** A database that answers when the test says so. */
function heldDatabase() {
  const queries: {
    readonly hashes: readonly string[];
    answer(found?: Map<string, ProjectVersion>): void;
    fail(): void;
  }[] = [];
  const findProjects = (hashes: readonly string[]) =>
    new Promise<ReadonlyMap<string, ProjectVersion>>((resolve, reject) => {
      queries.push({ hashes, answer: (found = new Map()) => resolve(found), fail: () => reject(new Error('away')) });
    });
  return { queries, store: { findProjects } };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('looking up keys', () => {
  it('finds the project of each key', async () => {
    const { queries, store } = heldDatabase();
    const find = createFindProject(store);
    const [known, unknown] = [find('known'), find('unknown')];
    for (const query of queries) query.answer(new Map([['known', project]]));
    expect(await known).toBe(project);
    expect(await unknown).toBeNull();
  });

  it('runs at most two queries concurrently, of at most 500 keys each', async () => {
    const { queries, store } = heldDatabase();
    const find = createFindProject(store);
    const all = Array.from({ length: 1_600 }, (_, number) => find(`key ${number}`));
    expect(queries.length).toBe(2);
    let answered = 0;
    while (answered < queries.length) {
      expect(queries.length - answered).toBeLessThanOrEqual(2);
      queries[answered]!.answer();
      answered += 1;
      await settled();
    }
    await Promise.all(all);
    expect(queries.length).toBe(6);
    expect(Math.max(...queries.map(({ hashes }) => hashes.length))).toBe(500);
  });

  it('queries once for a key that several wait for, and again if its query is already under way', async () => {
    const { queries, store } = heldDatabase();
    const find = createFindProject(store);
    const early = find('key');
    void find('other');
    const [late, later] = [find('key'), find('key')];
    queries[0]!.answer();
    await early;
    await settled();
    expect(queries[2]!.hashes).toEqual(['key']);
    queries[2]!.answer(new Map([['key', project]]));
    expect(await late).toBe(project);
    expect(await later).toBe(project);
  });

  it('fails all keys of a failed query, and continues', async () => {
    const { queries, store } = heldDatabase();
    const find = createFindProject(store);
    const failing = find('a');
    queries[0]!.fail();
    await expect(failing).rejects.toThrow('away');
    const next = find('a');
    queries[1]!.answer();
    expect(await next).toBeNull();
  });

  it('refuses more than 5,000 that wait', async () => {
    const { store } = heldDatabase();
    const find = createFindProject(store);
    for (let number = 0; number < 5_002; number += 1) void find(`key ${number}`);
    await expect(find('one more')).rejects.toThrow('Too many');
  });
});
