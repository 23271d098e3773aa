import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { newPerson } from '../../../test/people.ts';
import { startOwner } from '../../../test/owner.ts';
import { startRunningService } from '../../../test/running-service.ts';
import type { ShownJob } from './job.ts';
import { createJobWatch, MAX_WATCHED_OF_ACCOUNT } from './watch-job.ts';

it('streams of a generation end when the session does, the membership, or the agent key is revoked', async () => {
  await using service = await startRunningService({ GENERATION_SLOTS: '0' });
  const owner = await startOwner(service);
  const { body: job } = await owner.post('/blogs/generate', { topic: 'Tea', length: 200 });
  const streams = new AbortController();
  const watch = async (path: string, token: string) => {
    const url = `${service.origin}/blog/api/v1/${path}/generations/${job.id}/events`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: streams.signal });
    expect(answer.status).toBe(200);
    return { ended: answer.text() };
  };
  const asMember = (token: string) => watch(`owner/projects/${owner.project}`, token);
  const editor = () => newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
  const [signedOut, removed] = [await editor(), await editor()];
  const { body: agent } = await owner.post('/agent-keys', { name: 'Revoked' });
  const { body: other } = await owner.post('/agent-keys', { name: 'Kept' });
  const ending = [await asMember(signedOut.token), await asMember(removed.token), await watch('agent', agent.key)];
  let hasStayed = true;
  const staying = [await asMember(owner.token), await watch('agent', other.key)].map(({ ended }) =>
    ended.then(
      () => (hasStayed = false),
      () => undefined,
    ),
  );
  await service.call('DELETE', 'account/sessions', { token: signedOut.token });
  await service.call('DELETE', `projects/${owner.project}/members/${removed.id}`, { token: owner.token });
  expect((await owner.remove(`/agent-keys/${agent.id}`)).status).toBe(204);
  for (const { ended } of ending) expect(await ended).not.toContain('event: succeeded');
  expect(hasStayed).toBe(true);
  streams.abort();
  await Promise.all(staying);
});

it('one account watches twenty generations at once, however many projects it has; others watch theirs', async () => {
  const stopping = new AbortController();
  const watch = createJobWatch({
    jobs: { eventsAfter: () => Promise.resolve([]) },
    projectEvents: { allowed: (asked) => Promise.resolve(new Set(asked.map(({ projectId }) => projectId))) },
    agentKeys: { isLive: () => Promise.resolve(true) },
    clock: () => new Date(),
    stopping: stopping.signal,
  });
  const begin = (accountId: string, projectId: string) => {
    const response = Object.assign(new EventEmitter(), {
      locals: { caller: { projectId, id: 'key', accountId, trigger: 'autopilot' } },
      ...{ set: () => undefined, write: () => true, end: () => undefined },
    });
    const job = { id: 'job', projectId, status: 'running' } as ShownJob;
    return watch({ headers: {} } as Request, response as unknown as Response, job);
  };
  const watching = Array.from({ length: MAX_WATCHED_OF_ACCOUNT }, (_, number) => begin('greedy', `project-${number}`));
  await expect(begin('greedy', 'another')).rejects.toMatchObject({ status: 429 });
  watching.push(begin('modest', 'its project'));
  stopping.abort();
  await Promise.all(watching);
  await begin('greedy', 'another');
});

it('a stream of a generation ends when the token expires', async () => {
  const now = new Date();
  const watch = createJobWatch({
    jobs: { eventsAfter: () => Promise.resolve([]) },
    projectEvents: { allowed: () => Promise.reject(new Error('It is not asked before the first heartbeat.')) },
    agentKeys: { isLive: () => Promise.reject(new Error('It is no agent.')) },
    clock: () => now,
    stopping: new AbortController().signal,
  });
  const caller = { projectId: 'project', id: 'account', accountId: 'account', trigger: 'manual' };
  const account = { id: 'account', sessionId: 'session', sessionExpiresAt: new Date(now.getTime() + 100) };
  const response = Object.assign(new EventEmitter(), {
    locals: { caller, account },
    ...{ set: () => undefined, write: () => true, end: () => undefined },
  });
  const job = { id: 'job', projectId: 'project', status: 'running' } as ShownJob;
  await watch({ headers: {} } as Request, response as unknown as Response, job);
});
