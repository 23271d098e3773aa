import { createRepresentation } from '../http/representation.ts';
import { createReadCache, type ReadCache } from './read-cache.ts';

const MIB = 1_048_576;
const representation = (bytes = 10) =>
  createRepresentation({
    etag: '"1"',
    version: '1',
    contentType: 'text/plain',
    coding: 'identity',
    body: Buffer.alloc(bytes),
  });
const found = (projectId: string) => ({ projectId, accountId: 'account', version: '1', isSuspended: false });
const putProject = (cache: ReadCache, projectId: string) =>
  cache.putProject(`key of ${projectId}`, found(projectId), cache.changeCount());

/** Under a lease until `clock` reaches 1,000. */
function startCache(limitBytes = MIB) {
  const clock = { monotonicMs: 0, nowMs: 0 };
  const cache = createReadCache(
    limitBytes,
    () => clock.monotonicMs,
    () => clock.nowMs,
  );
  cache.allowUntil(1_000, 1_000);
  return { cache, clock };
}

describe('the cached answers of a project', () => {
  it('are found by key and by request', () => {
    const { cache } = startCache();
    const project = putProject(cache, 'a');
    cache.put('GET /blogs', { project, representation: representation() });
    expect(cache.findProject('key of a')).toBe(project);
    expect(cache.find('GET /blogs')?.project).toBe(project);
  });

  it.each([
    ['the project changes', ({ cache }: ReturnType<typeof startCache>) => cache.drop(['a'])],
    ['everything changes', ({ cache }: ReturnType<typeof startCache>) => cache.dropAll()],
    ['the lease ends', ({ clock }: ReturnType<typeof startCache>) => void (clock.monotonicMs = 1_000)],
    ['the machine was suspended', ({ clock }: ReturnType<typeof startCache>) => void (clock.nowMs = 1_000)],
    ['the lease is given up', ({ cache }: ReturnType<typeof startCache>) => cache.allowUntil(0, 0)],
  ])('are dropped when %s', (_name, change) => {
    const started = startCache();
    const { cache } = started;
    const project = putProject(cache, 'a');
    cache.put('GET /blogs', { project, representation: representation() });
    change(started);
    expect(cache.isCurrent(project)).toBe(false);
    expect(cache.findProject('key of a')).toBeNull();
    expect(cache.find('GET /blogs')).toBeNull();
    cache.put('GET /blogs', { project, representation: representation() });
    expect(cache.find('GET /blogs')).toBeNull();
  });

  it('stay when another project changes', () => {
    const { cache } = startCache();
    const project = putProject(cache, 'a');
    putProject(cache, 'b');
    cache.drop(['b']);
    expect(cache.findProject('key of a')).toBe(project);
    expect(cache.findProject('key of b')).toBeNull();
  });

  it('exclude those that were looked up before a change, in any order of the two', () => {
    const { cache } = startCache();
    const countBefore = cache.changeCount();
    cache.drop(['a']);
    expect(cache.isCurrent(cache.putProject('key', found('a'), countBefore))).toBe(false);
    expect(cache.isCurrent(cache.putProject('key', found('b'), countBefore))).toBe(true);
    expect(cache.isCurrent(putProject(cache, 'a'))).toBe(true);
    const before = cache.changeCount();
    cache.dropAll();
    expect(cache.isCurrent(cache.putProject('key', found('b'), before))).toBe(false);
  });

  it('are not trusted when more projects have changed than are remembered', () => {
    const { cache } = startCache();
    const countBefore = cache.changeCount();
    cache.drop(Array.from({ length: 10_001 }, (_, number) => String(number)));
    expect(cache.isCurrent(cache.putProject('key', found('never changed'), countBefore))).toBe(false);
    expect(cache.isCurrent(putProject(cache, 'never changed'))).toBe(true);
  });

  it('take no more than the bound', () => {
    const { cache } = startCache();
    for (let number = 0; number < 500; number += 1) {
      cache.put(`GET ${number}`, {
        project: putProject(cache, String(number)),
        representation: representation(10_000),
      });
      expect(cache.bytes).toBeLessThanOrEqual(MIB);
    }
    expect(cache.find('GET 499')).not.toBeNull();
    cache.dropAll();
    expect([cache.bytes, cache.entries]).toEqual([0, 0]);
  });

  it('stay as long as they are read, even if many others are read once', () => {
    const { cache } = startCache();
    const project = putProject(cache, 'a');
    cache.put('kept', { project, representation: representation(10_000) });
    for (let number = 0; number < 1_000; number += 1) {
      cache.put(`GET ${number}`, { project, representation: representation(10_000) });
      expect(cache.find('kept')).not.toBeNull();
    }
  });

  it('exclude one that would take more than a quarter of the cache', () => {
    const { cache } = startCache();
    cache.put('GET', { project: putProject(cache, 'a'), representation: representation(MIB / 4) });
    expect(cache.find('GET')).toBeNull();
  });

  it('are none with a bound of 0', () => {
    const { cache } = startCache(0);
    const project = putProject(cache, 'a');
    cache.put('GET', { project, representation: representation() });
    expect(cache.find('GET')).toBeNull();
    expect(cache.findProject('key of a')).toBeNull();
  });
});
