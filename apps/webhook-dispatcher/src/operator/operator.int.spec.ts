import { randomUUID } from 'node:crypto';
import {
  addProject,
  ADMINISTRATOR,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

let ground: TestGround;
let dispatcher: RunningDispatcher;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  ground = resources.use(await prepareTestGround());
  dispatcher = resources.use(await runDispatcher(ground));
});
afterAll(() => resources.disposeAsync());

const OPERATOR = '/operator/webhook-dispatcher';
interface Body {
  readonly items: Record<string, unknown>[];
  readonly next_cursor: string | null;
}
const get = (path: string, as: string | null = ADMINISTRATOR) => dispatcher.call<Body>('GET', OPERATOR + path, as);

describe('what the administrator sees of all projects', () => {
  it('is their failing receivers, most of them first, or those of the named ones', async () => {
    const owner = randomUUID();
    const [one, two, fine] = [randomUUID(), randomUUID(), randomUUID()];
    const webhook = async (projectId: string, name: string, failingSince: string | null) => {
      const created = await dispatcher.call<{ id: string }>('POST', `/projects/${projectId}/webhooks`, owner, {
        ...{ url: 'http://127.0.0.1:9/hook', name },
      });
      expect(created.status).toBe(201);
      if (failingSince !== null) {
        await ground.query(
          `UPDATE integration SET failing_since = $2, failed_from = $2, failing_reason = 'status', failed_in_row = 7
           WHERE id = $1`,
          [created.body.id, failingSince],
        );
      }
      return created.body.id;
    };
    for (const id of [one, two, fine]) await addProject(ground, dispatcher, id, owner);
    const later = await webhook(two, 'Later', '2026-11-02T10:00:00Z');
    const earlier = await webhook(two, 'Earlier', '2026-11-01T10:00:00Z');
    const only = await webhook(one, 'Only', '2026-11-03T10:00:00Z');
    await webhook(fine, 'Fine', null);
    const shown = (id: string, name: string, failing_since: string) => ({
      ...{ id, name, failing_since, reason: 'status', failed_deliveries: 7 },
    });
    const ofTwo = {
      project_id: two,
      failing: 2,
      receivers: [
        shown(earlier, 'Earlier', '2026-11-01T10:00:00.000Z'),
        shown(later, 'Later', '2026-11-02T10:00:00.000Z'),
      ],
    };
    const ofOne = { project_id: one, failing: 1, receivers: [shown(only, 'Only', '2026-11-03T10:00:00.000Z')] };
    const first = await get('/failing-receivers?limit=1');
    expect(first.body.items).toEqual([ofTwo]);
    const second = await get(`/failing-receivers?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toEqual({ items: [ofOne], next_cursor: null });
    expect((await get(`/failing-receivers?ids=${one},${fine}`)).body.items).toEqual([ofOne]);
  });

  it('is refused to everybody else', async () => {
    for (const path of ['/failing-receivers', '/parked-events']) {
      expect((await get(path)).status).toBe(200);
      expect((await get(path, randomUUID())).status).toBe(403);
      expect((await get(path, null)).status).toBe(401);
    }
    const body = { event_id: randomUUID() };
    expect((await dispatcher.call('POST', `${OPERATOR}/parked-events/skip`, randomUUID(), body)).status).toBe(403);
    expect((await dispatcher.call('POST', `${OPERATOR}/parked-events/skip`, ADMINISTRATOR, body)).status).toBe(404);
  });
});
