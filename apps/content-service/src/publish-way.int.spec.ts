import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOwner } from '../test/owner.ts';
import { startRunningService } from '../test/running-service.ts';

/** Most source files of the service that a publish goes through, from the request to the outbox and the response. */
const MAX_OWN = 20;
/** Most of the middleware that services share. */
const MAX_SHARED = 10;
const PUBLISHES = 3;
/** In which everything that is repeated on timers is done. */
const IDLE_MS = 1_500;

it('takes a publish from the request to the outbox through at most 20 source files, and 10 of middleware', async () => {
  await using service = await startRunningService({ SCHEDULE_POLL_MS: '200' });
  const owner = await startOwner(service);
  const session = new Session();
  session.connect();
  try {
    const target = await owner.newBlog();
    const publish = async (blog: { readonly id: string }) => expect((await owner.publish(blog)).status).toBe(202);
    // What only a first publish needs is no part of the way.
    await publish(target);
    const content = `<p>See <a href="[INTERNAL:${target.slug}]">it</a>.</p>`;
    const blogs = await Promise.all(Array.from({ length: PUBLISHES }, () => owner.newBlog({ content })));
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    /** The functions that run during the work, by file and place. */
    const during = async (work: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
      await session.post('Profiler.takePreciseCoverage');
      await work();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const entered = result.flatMap(({ url, functions }) => {
        const [, file] =
          /\/((?:content-service|service-runtime)\/src\/(?!generated\/).+(?<!\.spec)\.ts)$/.exec(url) ?? [];
        const ran = (file === undefined ? [] : functions).flatMap(({ ranges: [range] }) =>
          range && range.count > 0 ? [range.startOffset] : [],
        );
        return ran.map((place) => `${file} ${place}`);
      });
      return new Set(entered);
    };
    const idle = await during(() => sleep(IDLE_MS));
    const publishes: ReadonlySet<string>[] = [];
    for (const blog of blogs) publishes.push(await during(() => publish(blog)));
    const [first = new Set<string>(), ...others] = publishes;
    const inAll = [...first].filter((place) => !idle.has(place) && others.every((ran) => ran.has(place)));
    const files = [...new Set(inAll.map((place) => place.split(' ', 1)[0] ?? ''))].toSorted();
    const own = files.filter((file) => file.startsWith('content-service/'));
    const shared = files.filter((file) => !own.includes(file));
    expect(own).toContain('content-service/src/blogs/publishing/publish-store.ts');
    expect(shared).toContain('service-runtime/src/http/access.ts');
    // Where there are more, the message names them.
    expect(own.length > MAX_OWN ? own : []).toEqual([]);
    expect(shared.length > MAX_SHARED ? shared : []).toEqual([]);
  } finally {
    session.disconnect();
  }
});
