import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { newPerson, type Person } from '../../test/people.ts';
import { startRunningService, type Answer, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let token: string;
let project: string;
let removed: Person;
let other: Person;

beforeAll(async () => {
  service = await startRunningService();
  token = await service.signIn();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
  removed = await newPerson(service, token, { project_id: project, role: 'owner' });
  other = await newPerson(service, token);
});

/**
 * Sends requests, of which four at most run concurrently, that begin before an owner's removal is committed and wait
 * for it.
 */
async function whileRemoving(requests: () => Promise<Answer>[]): Promise<Answer[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [project]);
    await client.query('DELETE FROM project_member WHERE project_id = $1 AND account_id = $2', [project, removed.id]);
    const sent = requests();
    await eventually(async () => {
      const [{ count }] = (await service.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )) as [{ count: number }];
      expect(count).toBe(sent.length);
    });
    await client.query('COMMIT');
    return await Promise.all(sent);
  } finally {
    await client.end();
  }
}

describe('an owner who is removed while a request is under way', () => {
  it('no longer changes members or keys', async () => {
    const key = (await service.call('POST', `projects/${project}/agent-keys`, { token, json: { name: 'Agent' } })).body
      .id;
    const as = { token: removed.token };
    const base = `projects/${project}`;
    const answers = await whileRemoving(() => [
      service.call('POST', `${base}/members`, { ...as, json: { email: other.email, role: 'owner' } }),
      service.call('POST', `${base}/agent-keys`, { ...as, json: { name: 'Mine' } }),
      service.call('PATCH', `${base}/agent-keys/${key}`, { ...as, json: { name: 'Renamed' } }),
      service.call('DELETE', `${base}/agent-keys/${key}`, as),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const members = (await service.call('GET', `${base}/members`, { token })).body.items;
    expect(members).toHaveLength(1);
    expect((await service.call('GET', `${base}/agent-keys`, { token })).body.items).toMatchObject([{ name: 'Agent' }]);
  });

  it('no longer changes or deletes the project', async () => {
    const as = { token: removed.token };
    const path = `projects/${project}`;
    const answers = await whileRemoving(() => [
      service.call('PATCH', path, { ...as, json: { name: 'Taken over' } }),
      service.call('DELETE', path, as),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await service.call('GET', path, { token })).body.name).toBe('Site');
  });

  it('no longer changes the model or the autopilot', async () => {
    const as = { token: removed.token };
    const [model, autopilot] = [`projects/${project}/generation-settings`, `projects/${project}/autopilot`];
    const times = { time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
    const answers = await whileRemoving(() => [
      service.call('PUT', model, { ...as, json: { job_tokens: 1_000 } }),
      service.call('PUT', autopilot, { ...as, json: { enabled: true, ...times } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await service.call('GET', model, { token })).body.job_tokens).toBeNull();
    expect((await service.call('GET', autopilot, { token })).body.status).toBe('off');
  });

  it('no longer changes or removes other members', async () => {
    const editor = await newPerson(service, token, { project_id: project, role: 'editor' });
    const as = { token: removed.token };
    const path = `projects/${project}/members/${editor.id}`;
    const answers = await whileRemoving(() => [
      service.call('PATCH', path, { ...as, json: { role: 'owner' } }),
      service.call('DELETE', path, as),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const members = (await service.call('GET', `projects/${project}/members`, { token })).body.items;
    expect(members).toContainEqual({ account_id: editor.id, email: editor.email, role: 'editor' });
  });
});
