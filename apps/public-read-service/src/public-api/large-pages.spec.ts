import { setImmediate } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { sha256Hex } from '@blog-content/credentials';
import { createReadCache } from '../cache/read-cache.ts';
import { createAnswerBudget } from '../http/answer-budget.ts';
import { createReadSlots } from './read-slots.ts';
import { createAnswerRequest } from './answer-request.ts';
import { parsePublicQuery } from '../request/parse-public-query.ts';
import { createFindProject } from '../queries/find-project.ts';
import type { LargePages } from '../large-pages/start-large-pages.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';

const MIB = 1_048_576;
const PAGES = 45;
const keyOf = (project: string) => `pk_live_${project.repeat(32)}`;

interface Given {
  readonly pieces?: number;
  readonly accountOf?: (project: string) => string;
  readonly areReadOff?: boolean;
}

/** Projects `a`, `b`, …, whose pages are all large, and each held until `goOn` is called, to have so many pieces. */
function startLargePages({ pieces = 0, accountOf = (project) => project, areReadOff = true }: Given = {}) {
  const reading: string[] = [];
  const goOn: (() => void)[] = [];
  let made = 0;
  const page = { version: '1767225600000', name: null, siteUrl: null, targets: new Map(), total: PAGES };
  const frame = { ...page, contentBytes: 2.1 * MIB };
  const store: Partial<PublicReadStore> = {
    findProjects: (hashes) =>
      Promise.resolve(
        new Map(
          [...'abc']
            .map((project) => [sha256Hex(keyOf(project)), project] as const)
            .filter(([hash]) => hashes.includes(hash))
            .map(([hash, projectId]) => [hash, { projectId, accountId: accountOf(projectId), version: page.version }]),
        ),
      ),
    listBlogs: () => Promise.resolve({ ...frame, isLarge: true, blogs: [] }),
  };
  const largePages: LargePages = {
    async make({ projectId }, keep) {
      reading.push(projectId);
      await new Promise<void>((resolve) => goOn.push(resolve));
      for (let piece = 0; piece < pieces; piece += 1) {
        keep(Buffer.alloc(4 * MIB));
        made += 1;
      }
      return { version: page.version };
    },
    close: () => Promise.resolve(),
  };
  const budget = createAnswerBudget(() => 0);
  const answerRequest = createAnswerRequest({
    store: store as PublicReadStore,
    slots: createReadSlots(5),
    largePages,
    findProject: createFindProject(store as PublicReadStore),
    cache: createReadCache(MIB),
    lease: { isValid: () => true },
    rateLimit: null,
    budget,
    nowMs: () => 0,
  });
  const ask = async (project: string, offset: number) => {
    const target = `/blog/api/v1/public/blogs?include_content=true&offset=${offset}`;
    const parsed = parsePublicQuery({ method: 'GET', target, authorization: `Bearer ${keyOf(project)}` });
    const unsaid = { ifNoneMatch: undefined, ifModifiedSince: undefined };
    const { answer, reservation } = await answerRequest({ ...parsed, ...unsaid, coding: 'identity' });
    if (areReadOff) reservation?.release();
    return answer;
  };
  return { ask, reading, goOn, budget, made: () => made };
}

describe('large pages', () => {
  it('are read one at a time, accounts in turns, so that those of others are not behind all of one', async () => {
    const { ask, reading, goOn, budget } = startLargePages();
    const many = Array.from({ length: PAGES }, (_, offset) => ask('a', offset));
    await eventually(() => expect(reading).toEqual(['a']));
    // Who waits holds nothing of the budget.
    expect(budget.bytes).toBeLessThan(3 * MIB);
    const others = [ask('b', 0), ask('c', 0)];
    // They are in line, too.
    await setImmediate();
    for (const [done, next] of ['a', 'b', 'c'].entries()) {
      goOn[done]?.();
      await eventually(() => expect(reading[done + 1]).toBe(next));
    }
    for (let done = 3; done < PAGES + 2; done += 1) {
      await eventually(() => expect(goOn.length).toBeGreaterThan(done));
      goOn[done]?.();
    }
    expect((await Promise.all([...many, ...others])).map(({ status }) => status)).toEqual(
      Array.from({ length: PAGES + 2 }, () => 200),
    );
    await eventually(() => expect(budget.bytes).toBe(0));
  });

  it('of one account share its slot and its budget, in however many projects', async () => {
    const accountOf = (project: string) => (project === 'c' ? 'ben' : 'ada');
    const { ask, reading, goOn } = startLargePages({ pieces: 6, accountOf, areReadOff: false });
    const asked = [ask('a', 0), ask('a', 1), ask('b', 0), ask('c', 0)];
    for (let done = 0; done < asked.length; done += 1) {
      await eventually(() => expect(goOn.length).toBeGreaterThan(done));
      goOn[done]?.();
    }
    expect(reading).toEqual(['a', 'a', 'c', 'b']);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 500, 500, 200]);
  });

  it('are given up with 500 and Retry-After when they become too much larger than what is stored', async () => {
    const { ask, goOn, budget, made } = startLargePages({ pieces: 60 });
    const asked = ask('a', 0);
    await eventually(() => expect(goOn).toHaveLength(1));
    goOn[0]?.();
    const { status, headers } = await asked;
    expect(status).toBe(500);
    expect(headers).toContain('retry-after');
    expect(made()).toBeLessThan(30);
    await eventually(() => expect(budget.bytes).toBe(0));
  });
});
