import { createRepresentation, type Representation } from '../http/answer.ts';
import { createReadCache, type ReadCache } from './read-cache.ts';

const MIB = 1_048_576;
const representation = (bytes = 10): Representation =>
  createRepresentation({
    body: Buffer.alloc(bytes),
    contentType: 'text/plain',
    coding: 'identity',
    etag: '"1"',
    lastModifiedMs: 0,
  });
const found = (projectId: string, version = '1') => ({ projectId, version });
const keepProject = (cache: ReadCache, projectId: string) =>
  cache.keepProject(`key of ${projectId}`, found(projectId), cache.begin());

describe('what the cache keeps of a project', () => {
  it('is found by key, by question and by spelling', () => {
    const cache = createReadCache(MIB);
    const project = keepProject(cache, 'a');
    const kept = project.keep('blogs', representation())!;
    cache.rememberSpelling('GET /blogs', kept);
    expect(cache.findProject('key of a')).toBe(project);
    expect(project.find('blogs')).toBe(kept);
    expect(cache.findSpelled('GET /blogs')).toBe(kept);
  });

  it.each([
    ['the project changes', (cache: ReadCache) => cache.drop(['a'])],
    ['everything changes', (cache: ReadCache) => cache.dropAll()],
    ['the project gets another key', (cache: ReadCache) => cache.keepProject('new key', found('a'), cache.begin())],
  ])('is gone when %s', (_name, change) => {
    const cache = createReadCache(MIB);
    const project = keepProject(cache, 'a');
    const kept = project.keep('blogs', representation())!;
    cache.rememberSpelling('GET /blogs', kept);
    project.making.set('sitemap', Promise.resolve({ representation: representation(), failed: null, kept: null }));
    change(cache);
    expect(cache.findProject('key of a')).toBeNull();
    expect(cache.findSpelled('GET /blogs')).toBeNull();
    expect(project.isKept).toBe(false);
    expect(project.making.size).toBe(0);
    expect(project.keep('blogs', representation())).toBeNull();
    cache.rememberSpelling('GET /blogs', kept);
    expect(cache.findSpelled('GET /blogs')).toBeNull();
  });

  it('stays when another project changes', () => {
    const cache = createReadCache(MIB);
    const project = keepProject(cache, 'a');
    keepProject(cache, 'b');
    cache.drop(['b']);
    expect(cache.findProject('key of a')).toBe(project);
    expect(cache.findProject('key of b')).toBeNull();
  });

  it('is nothing that was looked up before a change, whichever comes first', () => {
    const cache = createReadCache(MIB);
    const beginning = cache.begin();
    cache.drop(['a']);
    expect(cache.keepProject('key', found('a'), beginning).isKept).toBe(false);
    expect(cache.keepProject('key', found('b'), beginning).isKept).toBe(true);
    expect(cache.keepProject('key', found('a'), cache.begin()).isKept).toBe(true);
    const before = cache.begin();
    cache.dropAll();
    expect(cache.keepProject('key', found('b'), before).isKept).toBe(false);
  });

  it('is judged with caution when more projects have changed than are remembered', () => {
    const cache = createReadCache(MIB);
    const beginning = cache.begin();
    cache.drop(Array.from({ length: 10_001 }, (_, number) => String(number)));
    expect(cache.keepProject('key', found('never changed'), beginning).isKept).toBe(false);
    expect(cache.keepProject('key', found('never changed'), cache.begin()).isKept).toBe(true);
  });

  it('takes no more than the bound, and nothing is left of what was let go', () => {
    const cache = createReadCache(MIB);
    for (let number = 0; number < 500; number += 1) {
      const kept = keepProject(cache, String(number)).keep('blogs', representation(10_000));
      if (kept !== null) cache.rememberSpelling(`GET ${number}`, kept);
      expect(cache.bytes).toBeLessThanOrEqual(MIB);
    }
    const left = Array.from({ length: 500 }, (_, number) => cache.findSpelled(`GET ${number}`)).filter(
      (kept) => kept !== null,
    );
    expect(left.length).toBeLessThanOrEqual(cache.entries);
    expect(left.every((kept) => kept.isKept)).toBe(true);
    cache.dropAll();
    expect(cache.entries).toBe(0);
    expect(cache.bytes).toBe(0);
  });

  it('has few spellings of each answer, and none that is very long', () => {
    const cache = createReadCache(MIB);
    const kept = keepProject(cache, 'a').keep('blogs', representation())!;
    cache.rememberSpelling('x'.repeat(1_025), kept);
    for (let number = 0; number < 100; number += 1) cache.rememberSpelling(`GET ?${number}`, kept);
    const remembered = Array.from({ length: 100 }, (_, number) => cache.findSpelled(`GET ?${number}`)).filter(Boolean);
    expect(remembered.length).toBe(8);
    expect(cache.findSpelled('x'.repeat(1_025))).toBeNull();
  });

  it('is nothing at all with a bound of 0', () => {
    const cache = createReadCache(0);
    const project = keepProject(cache, 'a');
    expect(project.isKept).toBe(false);
    expect(project.keep('blogs', representation())).toBeNull();
    expect(cache.findProject('key of a')).toBeNull();
  });
});
