import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { spawnDispatcher } from '../dispatcher-process.ts';
import { servedEvent, testBlog } from '../events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../running-dispatcher.ts';
import { BOUNDARIES, startBoundaryProxy } from './boundary-proxy.ts';
import { peersToTry } from './peer.ts';

const POSTS = 200;
/** What makes a post, in either system. */
const CREATE = /^POST .*\/posts\/?(\?|&|$)/;
/** The request of a retry. */
const LOOK_UP = /^GET .*slug/;

for (const peer of peersToTry()) {
  it(`${POSTS} posts are there once each at ${peer.kind}, wherever the process dies that brings them (§6.7)`, async () => {
    await using ground = await prepareTestGround();
    await using proxy = await startBoundaryProxy(peer.integration.url);
    const owner = randomUUID();
    const projectId = randomUUID();
    {
      await using dispatcher = await runDispatcher(ground);
      await addProject(ground, dispatcher, projectId, owner);
      // Retries of manual publishes are on: half of the posts are manual.
      const body = { kind: peer.kind, ...peer.integration, url: proxy.url, retry_manual: true };
      const { status } = await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, body);
      expect(status).toBe(201);
    }
    const run = randomUUID().slice(0, 8);
    const events = Array.from({ length: POSTS }, (_, index) => {
      const revision = { title: `Killed ${run} ${index}`, slug: `killed-${run}-${index}` };
      return testBlog(projectId).published({ trigger: index % 2 === 0 ? 'autopilot' : 'manual', revision });
    });
    await ground.append(...events, ...events.map(servedEvent));

    const env = {
      LEASE_MS: '3000',
      RETRY_DELAYS_MS: '50',
      DELIVERY_MAX_ATTEMPTS: '50',
      DELIVERY_CONCURRENCY_PER_RECEIVER: '4',
    };
    const kills = [...BOUNDARIES, ...BOUNDARIES].map((boundary, round) => ({
      boundary,
      nth: 3 + round * 4,
      of: CREATE,
    }));
    for (const { boundary, nth, of } of [...kills, { boundary: 'made' as const, nth: 1, of: LOOK_UP }]) {
      const dispatcher = await spawnDispatcher({ ...ground.env, ...env });
      await proxy.at(boundary, nth, of, async () => {
        await dispatcher.end('SIGKILL');
      });
    }
    const last = await spawnDispatcher({ ...ground.env, ...env });
    try {
      // A process that was killed may have told of the same end twice.
      const ended = () =>
        new Set(ground.outcomes.flatMap((one) => (one.event === 'delivery.finished' ? [one.lifecycle_event_id] : [])))
          .size;
      // It gives up when nothing has moved for a minute, however long all of it takes.
      for (let before = -1; ended() < POSTS;) {
        before = ended();
        await eventually(() => ended() > before);
      }
    } finally {
      await last.end('SIGTERM');
    }
    const outcomes = (await Promise.all(events.map(({ id }) => ground.finished(id)))).flat();
    expect(outcomes.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
    expect(outcomes.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(BOUNDARIES.length);
    expect((await peer.titles(`Killed ${run} `)).sort()).toEqual(events.map(({ data }) => data.revision.title).sort());
  }, 900_000);
}
