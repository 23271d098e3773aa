import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import type { Transaction } from '../../../platform/database/open-database.ts';
import type { Blog } from '../../writing/blog-store.ts';
import { startImportWorker } from './import-worker.ts';

const logger = createLogger('content-service', 'error');

const never = () => Promise.reject(new Error('not used'));
const there = { id: 'blog', slug: 'there', title: 'T', state: 'draft' } as Blog;
const blogs = { create: never, edit: never, find: never, findBySlug: () => Promise.resolve(there) };
const untouched = {
  postStoresOn: () => ({ authors: { all: never }, blogs, publishing: { publish: never, lockQuotas: never } }),
  contentWork: { clean: never },
  blogs: { find: never, findBySlug: never },
  dataFields: { find: never, save: never },
  publishing: { prepareUnwritten: never },
  images: { save: never, fetch: never },
  authors: { findOrCreate: never },
  imageBaseUrl: 'https://images.example',
  clock: () => new Date(0),
  logger,
  hostImages: false,
  dueWatch: { add: () => undefined },
};
const post = { slug: 'there', request: { title: 'T' }, isDraft: true, date: null, notes: [] };
const common = {
  number: 1,
  path: 'a.md',
  projectId: 'p',
  requestedBy: 'a',
  publish: false,
  existing: 'skip',
  hostImages: false,
  post,
} as const;

const standing = () =>
  Promise.resolve(new Map([['there', { holder: { ...there, paths: new Set<string>() }, origins: [] }]]));

/**
 * Works on imports with so many files each, by account, until none waits.
 * @returns the imports, in the order of their turns.
 */
async function turnsAmong(
  accounts: Record<string, Record<string, number>>,
  onTurn: (importId: string) => void | Promise<void> = () => undefined,
) {
  const turns: string[] = [];
  const allDone = Promise.withResolvers<void>();
  const waiting = new Map(Object.values(accounts).flatMap((imports) => Object.entries(imports)));
  const open = () =>
    Object.entries(accounts).flatMap(([account, imports]) => {
      const ids = Object.keys(imports).filter((id) => waiting.has(id));
      return ids.length > 0 ? [[account, ids] as const] : [];
    });
  const worker = startImportWorker({
    ...untouched,
    imports: {
      unfinished: () => Promise.resolve(new Map(open())),
      nextFile: (importId) => Promise.resolve({ ...common, importId }),
      withFile: async ({ importId }, work) => {
        turns.push(importId);
        await onTurn(importId);
        waiting.set(importId, (waiting.get(importId) ?? 0) - 1);
        return work({} as Transaction);
      },
      imagesByHash: () => Promise.resolve(new Map()),
      standing,
      fail: never,
      finish: (importId) => {
        const isDone = waiting.get(importId) === 0 && waiting.delete(importId);
        if (waiting.size === 0) allDone.resolve();
        return Promise.resolve(isDone);
      },
    },
  });
  await allDone.promise;
  await worker.stop();
  return turns;
}

describe('the worker of imports', () => {
  it('gives others their turn after each file, also when nothing makes it wait', async () => {
    const turnsBefore: number[] = [];
    let turns = 0;
    const turn = () => {
      turns += 1;
      counting = setImmediate(turn);
    };
    let counting = setImmediate(turn);
    await turnsAmong({ account: { import: 50 } }, () => {
      turnsBefore.push(turns);
    });
    clearImmediate(counting);
    expect(new Set(turnsBefore).size).toBe(50);
  });

  it('has accounts take turns, however many imports one of them has, and so the imports of one account', async () => {
    const turns = await turnsAmong({ many: { m1: 2, m2: 1, m3: 1 }, one: { o1: 3 } });
    expect(turns).toEqual(['m1', 'o1', 'm2', 'o1', 'm3', 'o1', 'm1']);
  });

  it('has no account wait for what a file of another takes', async () => {
    const ended: string[] = [];
    await turnsAmong({ slow: { s1: 1 }, quick: { q1: 3 } }, async (importId) => {
      if (importId === 's1') await eventually(() => expect(ended).toHaveLength(3)).catch(() => undefined);
      ended.push(importId);
    });
    expect(ended).toEqual(['q1', 'q1', 'q1', 's1']);
  });

  it('works on few files at once, whose accounts give each other their turn', async () => {
    const accounts = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { [name]: 2 }]));
    let atOnce = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const turns = await turnsAmong(accounts, async () => {
      most = Math.max(most, (atOnce += 1));
      if (atOnce === 3) full.resolve();
      await full.promise;
      await nextTurn();
      atOnce -= 1;
    });
    expect(most).toBe(3);
    expect(turns.slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('fails a file that other requests keep getting in the way of, instead of trying it for ever', async () => {
    const failed = Promise.withResolvers<string>();
    let tries = 0;
    let isDone = false;
    // A blog has the slug before each transaction, and none in it.
    const gone = { ...blogs, findBySlug: () => Promise.resolve(null) };
    const worker = startImportWorker({
      ...untouched,
      postStoresOn: () => ({ authors: { all: never }, blogs: gone, publishing: { publish: never, lockQuotas: never } }),
      imports: {
        unfinished: () => Promise.resolve(new Map(isDone ? [] : [['account', ['import']]])),
        nextFile: () => Promise.resolve(isDone ? null : { ...common, importId: 'import' }),
        withFile: (_file, work) => {
          tries += 1;
          return work({} as Transaction);
        },
        imagesByHash: () => Promise.resolve(new Map()),
        standing,
        fail: (_importId, _number, message) => {
          isDone = true;
          failed.resolve(message);
          return Promise.resolve(true);
        },
        finish: () => Promise.resolve(isDone),
      },
    });
    expect(await failed.promise).toContain('Import the file again.');
    await worker.stop();
    expect(tries).toBe(10);
  });
});
