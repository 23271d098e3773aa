import { DATA_LIMITS } from '@blog-content/payload-schemas';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let first: Owner;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  first = await startOwner(service);
});
beforeEach(async () => {
  owner = await first.inNewProject();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const RATING = { name: 'rating', label: 'Rating', kind: 'number', help: '1 to 5' };
const declare = (fields: object[], headers = {}) => owner.call('PUT', '/data-fields', { json: { fields }, headers });
const agentKey = async () => (await owner.post('/agent-keys', { name: 'Agent' })).body.key as string;

describe('data fields', () => {
  it('are none until an owner declares some, and keep their order', async () => {
    const none = await owner.get('/data-fields');
    expect(none.body).toEqual({ version: 0, fields: [], updated_at: null });

    const size = { name: 'size', label: 'Size', kind: 'choice', choices: ['S', 'M'] };
    const saved = await declare([size, RATING]);
    expect(saved.status).toBe(200);
    expect(saved.body.fields).toEqual([
      { ...size, help: '', json_schema: null },
      { ...RATING, choices: [], json_schema: null },
    ]);
    expect((await owner.get('/data-fields')).body).toEqual(saved.body);
    const byAgent = await service.callAgent('GET', 'data-fields', { token: await agentKey() });
    expect(byAgent.body).toEqual(saved.body);
  });

  it('are replaced only as they were read, when If-Match says so', async () => {
    const before = (await owner.get('/data-fields')).headers['etag'] as string;
    expect((await declare([RATING], { 'If-Match': before })).status).toBe(200);
    const late = await declare([], { 'If-Match': before });
    expect(late.status).toBe(412);
    expect(late.body.detail).toContain('The list of data fields changed since you read it.');
    expect((await owner.get('/data-fields')).body.fields).toHaveLength(1);
  });

  it('are at most 50', async () => {
    const some = (count: number) => Array.from({ length: count }, (_, at) => ({ ...RATING, name: `rating_${at}` }));
    expect((await declare(some(DATA_LIMITS.fields))).status).toBe(200);
    const refused = await declare(some(DATA_LIMITS.fields + 1));
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([{ field: 'fields', message: 'must have at most 50 items (got 51)' }]);
  });

  it('are refused by the path of what is wrong', async () => {
    const refused = await declare([RATING, { ...RATING, kind: 'choice' }]);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { field: 'fields.1.name', message: '“rating” is declared twice' },
      { field: 'fields.1.choices', message: 'must have at least 1 item' },
    ]);
  });

  it('end with their project', async () => {
    await declare([RATING]);
    expect((await owner.remove(`projects/${owner.project}`)).status).toBe(204);
    expect(await service.query('select from data_fields where project_id = $1', [owner.project])).toHaveLength(0);
  });
});
