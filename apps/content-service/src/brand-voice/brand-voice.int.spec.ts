import { BRAND_VOICE_LIMITS as LIMITS } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { newPerson } from '../../test/people.ts';
import { eachInNewProject, type Owner } from '../../test/owner.ts';
import type { RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const EMPTY = {
  ...{ voice: '', audience: '', facts: [], words_to_use: [], words_to_avoid: [], glossary: [], sources: [] },
};
const set = (json: object, headers = {}) => owner.call('PUT', '/brand-voice', { json, headers });
const long = (length: number) => 'x'.repeat(length);
const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, at) => item(at));

describe('a brand voice', () => {
  it('is empty until an owner writes it, and is the same for members and agents', async () => {
    expect((await owner.get('/brand-voice')).body).toEqual({ version: 0, ...EMPTY, updated_at: null });
    const given = {
      ...{ voice: 'Calm.', audience: 'Bakers', facts: ['We bake since 1987.'] },
      ...{ words_to_use: ['sourdough'], words_to_avoid: ['cheap'] },
      glossary: [{ term: 'levain', meaning: 'A starter' }],
      sources: [{ title: 'Prices', text: 'A loaf costs 6 euros.' }],
    };
    const saved = await set(given);
    expect([saved.status, saved.body]).toEqual([200, { version: 1, ...given, updated_at: expect.any(String) }]);
    const key = (await owner.post('/agent-keys', { name: 'Agent', permission: 'draft' })).body.key as string;
    const byAgent = await service.callAgent('GET', 'brand-voice', { token: key });
    expect([byAgent.status, byAgent.body]).toEqual([200, saved.body]);
    const person = await newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
    const asEditor = { token: person.token };
    expect((await service.call('GET', `projects/${owner.project}/brand-voice`, asEditor)).body).toEqual(saved.body);
    const refused = await service.call('PUT', `projects/${owner.project}/brand-voice`, { ...asEditor, json: {} });
    expect(refused.status).toBe(403);
    // What is left out is empty.
    expect((await set({ voice: 'Loud.' })).body).toMatchObject({ ...EMPTY, voice: 'Loud.', version: 2 });
  });

  it('is replaced only as it was read, when If-Match says so', async () => {
    const before = (await owner.get('/brand-voice')).headers['etag'] as string;
    expect((await set({ voice: 'Calm.' }, { 'If-Match': before })).status).toBe(200);
    const late = await set({ voice: 'Loud.' }, { 'If-Match': before });
    expect(late.status).toBe(412);
    expect(late.body.detail).toContain('The brand voice changed since you read it.');
    expect((await owner.get('/brand-voice')).body.voice).toBe('Calm.');
  });

  it('may be as large as all of its limits together, in any script', async () => {
    const wide = (length: number, at = 0) => `${at}${'語'.repeat(length - String(at).length)}`;
    const largest = {
      voice: wide(LIMITS.voiceLength),
      audience: wide(LIMITS.audienceLength),
      facts: many(LIMITS.facts, (at) => wide(LIMITS.factLength, at)),
      words_to_use: many(LIMITS.words, (at) => wide(LIMITS.wordLength, at)),
      words_to_avoid: many(LIMITS.words, (at) => wide(LIMITS.wordLength, at + LIMITS.words)),
      glossary: many(LIMITS.glossary, (at) => ({
        term: wide(LIMITS.wordLength, at),
        meaning: wide(LIMITS.meaningLength, at),
      })),
      sources: many(LIMITS.sources, (at) => ({
        title: wide(LIMITS.sourceTitleLength, at),
        text: wide(LIMITS.sourceLength, at),
      })),
    };
    const saved = await set(largest);
    expect(saved.status).toBe(200);
    expect((await owner.get('/brand-voice')).body).toMatchObject(largest);
  });

  it.each([
    ['voice', { voice: long(LIMITS.voiceLength + 1) }, 'voice'],
    ['audience', { audience: long(LIMITS.audienceLength + 1) }, 'audience'],
    ['facts', { facts: many(LIMITS.facts + 1, String) }, 'facts'],
    ['fact', { facts: ['ok', long(LIMITS.factLength + 1)] }, 'facts.1'],
    ['words to use', { words_to_use: many(LIMITS.words + 1, String) }, 'words_to_use'],
    ['words to avoid', { words_to_avoid: many(LIMITS.words + 1, String) }, 'words_to_avoid'],
    ['word', { words_to_avoid: [long(LIMITS.wordLength + 1)] }, 'words_to_avoid.0'],
    ['glossary', { glossary: many(LIMITS.glossary + 1, (at) => ({ term: `${at}`, meaning: 'x' })) }, 'glossary'],
    ['meaning', { glossary: [{ term: 'a', meaning: long(LIMITS.meaningLength + 1) }] }, 'glossary.0.meaning'],
    ['sources', { sources: many(LIMITS.sources + 1, () => ({ title: 'a', text: 'b' })) }, 'sources'],
    ['source', { sources: [{ title: 'a', text: long(LIMITS.sourceLength + 1) }] }, 'sources.0.text'],
    ['empty source', { sources: [{ title: 'a', text: ' ' }] }, 'sources.0.text'],
    ['source without title', { sources: [{ text: 'b' }] }, 'sources.0.title'],
    ['source by address', { sources: [{ title: 'a', url: 'https://a.example' }] }, 'sources.0.url'],
    ['repeated word', { words_to_use: ['Tea  time', 'tea time'] }, 'words_to_use'],
    ['word in both lists', { words_to_use: ['tea'], words_to_avoid: ['oil', 'Tea'] }, 'words_to_avoid.1'],
    [
      'repeated term',
      {
        glossary: [
          { term: 'a', meaning: 'x' },
          { term: 'A', meaning: 'y' },
        ],
      },
      'glossary',
    ],
  ])('beyond a limit is refused by its path: %s', async (_what, json, field) => {
    const refused = await set(json);
    expect([refused.status, refused.body.errors.map((error: { field: string }) => error.field)]).toEqual([
      422,
      expect.arrayContaining([field]),
    ]);
    expect((await owner.get('/brand-voice')).body.version).toBe(0);
  });

  it('ends with its project', async () => {
    await set({ voice: 'Calm.' });
    expect((await owner.remove(`projects/${owner.project}`)).status).toBe(204);
    await eventually(async () =>
      expect(await service.query('select from brand_voice where project_id = $1', [owner.project])).toHaveLength(0),
    );
  });
});
