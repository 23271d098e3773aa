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
const found = (projectId: string, accountId = 'account') => ({ projectId, accountId, version: '1' });
const putProject = (cache: ReadCache, projectId: string, accountId?: string) =>
  cache.putProject(`key of ${projectId}`, found(projectId, accountId), cache.changeCount());

describe('what the cache has of a project', () => {
  it('is found by key, by query and by request', () => {
    const cache = createReadCache(MIB);
    const project = putProject(cache, 'a');
    const kept = project.put('blogs', representation())!;
    cache.rememberRequest('GET /blogs', kept);
    expect(cache.findProject('key of a')).toBe(project);
    expect(project.find('blogs')).toBe(kept);
    expect(cache.findByRequest('GET /blogs')).toBe(kept);
  });

  it.each([
    ['the project changes', (cache: ReadCache) => cache.drop(['a'])],
    ['everything changes', (cache: ReadCache) => cache.dropAll()],
    [
      'the project gets another key',
      (cache: ReadCache) => cache.putProject('new key', found('a'), cache.changeCount()),
    ],
  ])('is gone when %s', (_name, change) => {
    const cache = createReadCache(MIB);
    const project = putProject(cache, 'a');
    const kept = project.put('blogs', representation())!;
    cache.rememberRequest('GET /blogs', kept);
    project.rendering.set('sitemap', Promise.resolve({ representation: representation(), failed: null, cached: null }));
    change(cache);
    expect(cache.findProject('key of a')).toBeNull();
    expect(cache.findByRequest('GET /blogs')).toBeNull();
    expect(project.isCached).toBe(false);
    expect(project.rendering.size).toBe(0);
    expect(project.put('blogs', representation())).toBeNull();
    cache.rememberRequest('GET /blogs', kept);
    expect(cache.findByRequest('GET /blogs')).toBeNull();
  });

  it('stays when another project changes', () => {
    const cache = createReadCache(MIB);
    const project = putProject(cache, 'a');
    putProject(cache, 'b');
    cache.drop(['b']);
    expect(cache.findProject('key of a')).toBe(project);
    expect(cache.findProject('key of b')).toBeNull();
  });

  it('is nothing that was looked up before a change, whichever comes first', () => {
    const cache = createReadCache(MIB);
    const countBefore = cache.changeCount();
    cache.drop(['a']);
    expect(cache.putProject('key', found('a'), countBefore).isCached).toBe(false);
    expect(cache.putProject('key', found('b'), countBefore).isCached).toBe(true);
    expect(cache.putProject('key', found('a'), cache.changeCount()).isCached).toBe(true);
    const before = cache.changeCount();
    cache.dropAll();
    expect(cache.putProject('key', found('b'), before).isCached).toBe(false);
  });

  it('is judged with caution when more projects have changed than are remembered', () => {
    const cache = createReadCache(MIB);
    const countBefore = cache.changeCount();
    cache.drop(Array.from({ length: 10_001 }, (_, number) => String(number)));
    expect(cache.putProject('key', found('never changed'), countBefore).isCached).toBe(false);
    expect(cache.putProject('key', found('never changed'), cache.changeCount()).isCached).toBe(true);
  });

  it('takes no more than the bound, and nothing is left of what was evicted', () => {
    const cache = createReadCache(MIB);
    for (let number = 0; number < 500; number += 1) {
      const kept = putProject(cache, String(number)).put('blogs', representation(10_000));
      if (kept !== null) cache.rememberRequest(`GET ${number}`, kept);
      expect(cache.bytes).toBeLessThanOrEqual(MIB);
    }
    const left = Array.from({ length: 500 }, (_, number) => cache.findByRequest(`GET ${number}`)).filter(
      (kept) => kept !== null,
    );
    expect(left.length).toBeLessThanOrEqual(cache.entries);
    expect(left.every((kept) => kept.isCached)).toBe(true);
    cache.dropAll();
    expect(cache.entries).toBe(0);
    expect(cache.bytes).toBe(0);
  });

  it('stays when another account reads any number of addresses, of however many projects', () => {
    const cache = createReadCache(MIB);
    const kept = putProject(cache, 'a', 'ada').put('blogs', representation(10_000))!;
    const projects = ['b', 'c', 'd', 'e', 'f'].map((projectId) => putProject(cache, projectId, 'ben'));
    for (let number = 0; number < 500; number += 1) {
      for (const project of projects) project.put(`blog ${number}`, representation(10_000));
    }
    expect(kept.isCached).toBe(true);
  });

  it('is gone with the project’s next change, whatever had to go to make room for it', () => {
    const cache = createReadCache(MIB);
    const project = putProject(cache, 'a');
    for (let number = 0; number < 200; number += 1) {
      const kept = project.put(`blog ${number}`, representation(10_000));
      if (kept !== null) cache.rememberRequest(`GET ${number}`, kept);
    }
    expect(cache.findByRequest('GET 199')).not.toBeNull();
    cache.drop(['a']);
    expect(Array.from({ length: 200 }, (_, number) => cache.findByRequest(`GET ${number}`)).filter(Boolean)).toEqual(
      [],
    );
    expect(cache.bytes).toBe(0);
  });

  it('stays as long as it is read, whatever else is read once', () => {
    const cache = createReadCache(MIB);
    const kept = putProject(cache, 'a', 'ada').put('blogs', representation(10_000))!;
    for (let number = 0; number < 1_000; number += 1) {
      putProject(cache, String(number), String(number)).put('blogs', representation(10_000));
      kept.used = true;
    }
    expect(kept.isCached).toBe(true);
  });

  it('has few request keys for each answer, and none that is very long', () => {
    const cache = createReadCache(MIB);
    const kept = putProject(cache, 'a').put('blogs', representation())!;
    cache.rememberRequest('x'.repeat(1_025), kept);
    for (let number = 0; number < 100; number += 1) cache.rememberRequest(`GET ?${number}`, kept);
    const remembered = Array.from({ length: 100 }, (_, number) => cache.findByRequest(`GET ?${number}`)).filter(
      Boolean,
    );
    expect(remembered.length).toBe(8);
    expect(cache.findByRequest('x'.repeat(1_025))).toBeNull();
  });

  it('is nothing at all with a bound of 0', () => {
    const cache = createReadCache(0);
    const project = putProject(cache, 'a');
    expect(project.isCached).toBe(false);
    expect(project.put('blogs', representation())).toBeNull();
    expect(cache.findProject('key of a')).toBeNull();
  });
});
