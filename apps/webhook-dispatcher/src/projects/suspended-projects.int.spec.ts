import { randomUUID } from 'node:crypto';
import { eventually, startReceiver } from '@blog-content/testing';
import { projectSaved, servedEvent, testBlog } from '../../test/events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../../test/running-dispatcher.ts';

type Scope = 'writes' | 'all' | null;

describe('a suspended project', () => {
  it.each(['writes', 'all'] as const)(
    'is sent nothing (%s); each delivery goes once when it is resumed, also after a restart',
    async (scope) => {
      await using resources = new AsyncDisposableStack();
      const ground = resources.use(await prepareTestGround());
      const receiver = resources.adopt(await startReceiver(), (open) => open.close());
      const others = resources.adopt(await startReceiver(), (open) => open.close());
      const [owner, projectId, otherId] = [randomUUID(), randomUUID(), randomUUID()];
      const change = async (number: number, suspended: Scope) => {
        const event = projectSaved(projectId, [owner], number);
        await ground.append({ ...event, data: { ...event.data, suspended } });
        await eventually(async () =>
          expect(await ground.query('SELECT suspended FROM project WHERE id = $1', [projectId])).toEqual([
            { suspended },
          ]),
        );
      };
      const send = async (of: string, trigger: 'manual' | 'autopilot') => {
        const event = testBlog(of).published({ trigger });
        await ground.append(event, servedEvent(event));
        return event;
      };
      let held;
      {
        await using dispatcher = await runDispatcher(ground);
        for (const [id, { url }] of [
          [projectId, receiver],
          [otherId, others],
        ] as const) {
          await addProject(ground, dispatcher, id, owner);
          const created = await dispatcher.call('POST', `/projects/${id}/webhooks`, owner, { url });
          expect(created.status).toBe(201);
        }
        await change(2, scope);
        held = [await send(projectId, 'manual'), await send(projectId, 'autopilot')];
        const free = await send(otherId, 'manual');
        expect(await ground.finished(free.id)).toMatchObject([{ outcome: 'succeeded' }]);
        const path = `/projects/${projectId}/webhooks`;
        expect((await dispatcher.call('GET', path, owner)).status).toBe(200);
        expect(await dispatcher.call('POST', path, owner, { url: receiver.url })).toMatchObject({
          status: 403,
          body: { title: 'Project suspended' },
        });
        await eventually(async () =>
          expect(await ground.query('SELECT FROM delivery WHERE project_id = $1', [projectId])).toHaveLength(2),
        );
        // What it holds is not late.
        expect(await dispatcher.metrics()).toMatch(/^webhook_delivery_oldest_due_seconds\S* 0$/m);
      }
      await using _restarted = await runDispatcher(ground);
      const free = await send(otherId, 'autopilot');
      await ground.finished(free.id);
      expect(receiver.requests).toHaveLength(0);
      await change(3, null);
      for (const { id } of held) expect(await ground.finished(id)).toMatchObject([{ outcome: 'succeeded' }]);
      expect(receiver.requests).toHaveLength(2);
    },
  );

  it('stays suspended when an older release changes it, which says nothing of that', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const [owner, projectId] = [randomUUID(), randomUUID()];
    await addProject(ground, dispatcher, projectId, owner);
    const event = projectSaved(projectId, [owner], 2);
    await ground.append({ ...event, data: { ...event.data, suspended: 'all' } }, projectSaved(projectId, [owner], 3));
    await eventually(async () =>
      expect(await ground.query('SELECT event_number, suspended FROM project')).toEqual([
        { event_number: 3, suspended: 'all' },
      ]),
    );
  });

  it('makes no request to its deploy hook until it is resumed', async () => {
    await using resources = new AsyncDisposableStack();
    const ground = resources.use(await prepareTestGround());
    const receiver = resources.adopt(await startReceiver(), (open) => open.close());
    const env = { DEPLOY_HOOK_QUIET_MS: '10', DEPLOY_HOOK_MAX_WAIT_MS: '20' };
    const dispatcher = resources.use(await runDispatcher(ground, { env }));
    const [owner, projectId] = [randomUUID(), randomUUID()];
    await addProject(ground, dispatcher, projectId, owner);
    const { url } = receiver;
    expect((await dispatcher.call('PUT', `/projects/${projectId}/deploy-hook`, owner, { url })).status).toBe(201);
    const saved = (number: number, suspended: Scope) => {
      const event = projectSaved(projectId, [owner], number);
      return ground.append({ ...event, data: { ...event.data, suspended } });
    };
    await saved(2, 'writes');
    await eventually(async () =>
      expect(await ground.query('SELECT suspended FROM project')).toEqual([{ suspended: 'writes' }]),
    );
    const event = testBlog(projectId).published();
    await ground.append(event, servedEvent(event));
    const waiting = () => ground.query(`SELECT FROM deploy_hook_request WHERE status = 'waiting' AND due_at <= now()`);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    expect(receiver.requests).toHaveLength(0);
    await saved(3, null);
    await receiver.waitFor(() => true);
    await eventually(async () => expect(await waiting()).toHaveLength(0));
    expect(receiver.requests).toHaveLength(1);
  });
});
