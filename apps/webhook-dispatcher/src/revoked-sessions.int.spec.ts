import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { sessionRevoked } from '../test/events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../test/running-dispatcher.ts';

const HOUR_MS = 3_600_000;

describe('sessions that were signed out, reset or deleted', () => {
  it('are refused by every replica, whichever of them was told, and are forgotten after their tokens have expired', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    await using replica = await runDispatcher(ground);
    const [project, owner, session] = [randomUUID(), randomUUID(), randomUUID()];
    await addProject(ground, dispatcher, project, owner);
    const ask = async (origin: string, sessionId?: string) => {
      const headers = { authorization: `Bearer ${await ground.token(owner, sessionId)}` };
      return (await fetch(`${origin}/blog/api/v1/owner/projects/${project}/webhooks`, { headers })).status;
    };
    const origins = [dispatcher.origin, replica.origin];
    for (const origin of origins) expect(await ask(origin, session)).toBe(200);

    await ground.append(sessionRevoked(randomUUID(), -2 * HOUR_MS), sessionRevoked(session), sessionRevoked(session));
    for (const origin of origins) await eventually(async () => expect(await ask(origin, session)).toBe(401));
    for (const origin of origins) expect(await ask(origin)).toBe(200);
    await ground.append(sessionRevoked(randomUUID()));
    const remembered = () => ground.query<{ session_id: string }>('SELECT session_id FROM revoked_session');
    await eventually(async () => expect(await remembered()).toHaveLength(2));
  });
});
