import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startTestService, type TestProject, type TestService } from '../test/test-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What else happens to run is not in all of them. */
const READS = 8;
/** In which everything that is done again and again is done. */
const IDLE_MS = 1_500;

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  await project.publish({ slug: 'tea' });
});
afterAll(() => service?.[Symbol.asyncDispose]());

/**
 * The files of the product with functions that run in each of several reads, from the request to the last byte, and not
 * while nobody reads.
 */
async function filesOf(read: (number: number) => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** What runs during the work: file and place of each function. */
  async function during(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Set(
      result.flatMap(({ url, functions }) =>
        functions
          .map(({ ranges }) => ranges[0])
          .filter((range) => range !== undefined && range.count > 0)
          .map((range) => `${relative(ROOT, url.replace('file://', ''))} ${range?.startOffset}`),
      ),
    );
  }
  const idle = await during(() => sleep(IDLE_MS));
  const reads: ReadonlySet<string>[] = [];
  for (let number = 0; number < READS; number += 1) reads.push(await during(() => read(number)));
  session.disconnect();
  const [first = new Set<string>(), ...others] = reads;
  const inAll = [...first].filter((place) => !idle.has(place) && others.every((ran) => ran.has(place)));
  const files = new Set(inAll.map((place) => place.split(' ', 1)[0] ?? ''));
  const isProduct = (file: string) => /^(?:apps|libs)\/(?!testing)[^/]+\/src\//.test(file) && !file.includes('.spec.');
  return [...files].filter(isProduct).toSorted();
}

describe('the path of a read', () => {
  it('goes through at most 10 files when the cache has the response', async () => {
    const read = () => project.get('/blogs');
    await read();
    const files = await filesOf(read);
    expect(files).toContain('apps/public-read-service/src/cache/read-cache.ts');
    expect(files.slice(10)).toEqual([]);
  });

  it('goes through at most 16 files when it has not', async () => {
    const files = await filesOf((number) => project.get(`/blogs?offset=${number + 1}`));
    expect(files).toContain('apps/public-read-service/src/queries/public-read-store.ts');
    expect(files.slice(16)).toEqual([]);
  });
});
