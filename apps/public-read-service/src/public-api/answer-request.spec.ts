import { answerRequest, type PublicRequest } from './answer-request.ts';
import type { PublicReadStore } from './public-read-store.ts';

const key = `pk_live_${'a'.repeat(32)}`;
const target = '/blog/api/v1/public/blogs';

/** A store of one empty project, which writes down what it is asked. */
function recordingStore() {
  const asked: string[] = [];
  const project = { projectId: '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11', version: '7' };
  const links = { version: project.version, siteUrl: null, targets: new Map() };
  const store: PublicReadStore = {
    findProject: (keyHash) => {
      asked.push('findProject');
      // SHA-256 of `key`.
      const isKnown = keyHash === '53f4ec1115f4097121cf97be800927df2898469e749d526c66922fad4edc80be';
      return Promise.resolve(isKnown ? project : null);
    },
    listBlogs: () => {
      asked.push('listBlogs');
      return Promise.resolve({ ...links, total: 0, blogs: [] });
    },
    findBlog: () => {
      asked.push('findBlog');
      return Promise.resolve({ ...links, blog: null });
    },
    listSitemap: () => {
      asked.push('listSitemap');
      return Promise.resolve({ version: project.version, entries: [] });
    },
  };
  return { store, asked };
}

const request = (given: { target?: string; authorization?: string; ifNoneMatch?: string } = {}) => ({
  method: 'GET',
  target,
  authorization: undefined,
  acceptEncoding: undefined,
  ifNoneMatch: undefined,
  ...given,
});

const answerTo = async (store: PublicReadStore, asked: PublicRequest) => (await answerRequest(store, asked)).answer;

describe('the work that a request causes', () => {
  it.each([
    ['no key', {}],
    ['an unknown key', { authorization: `Bearer pk_live_${'b'.repeat(32)}` }],
    ['a malformed key', { authorization: 'Bearer nonsense' }],
    ['an agent key', { authorization: `Bearer sk_agent_${'b'.repeat(40)}` }],
    ['an empty key', { target: `${target}?api_key=` }],
  ])('is one look-up and nothing else with %s (decisions “Public API”)', async (_name, given) => {
    const { store, asked } = recordingStore();
    expect((await answerTo(store, request(given))).status).toBe(401);
    expect(asked).toEqual(['findProject']);
  });

  it('is no reading and no rendering when the answer is 304', async () => {
    const { store, asked } = recordingStore();
    const authorization = `Bearer ${key}`;
    const first = await answerTo(store, request({ authorization }));
    expect(first.status).toBe(200);
    asked.length = 0;
    const again = await answerTo(store, request({ authorization, ifNoneMatch: first.headers['etag']! }));
    expect(again).toMatchObject({ status: 304, body: null });
    expect(asked).toEqual(['findProject']);
  });

  it('is no question to the database about a slug that no blog can have', async () => {
    const { store, asked } = recordingStore();
    const answer = await answerTo(store, request({ target: `${target}/a%00b`, authorization: `Bearer ${key}` }));
    expect(answer.status).toBe(404);
    expect(asked).toEqual(['findProject']);
  });

  it('is nothing at all for a path that does not exist', async () => {
    const { store, asked } = recordingStore();
    expect((await answerTo(store, request({ target: `${target}/a/b` }))).status).toBe(404);
    expect(asked).toEqual([]);
  });
});

describe('a change committed between the look-up of the key and the read', () => {
  it('gives the tag of what was read, which the next request knows', async () => {
    const { store } = recordingStore();
    const changed = {
      ...store,
      listBlogs: () => Promise.resolve({ version: '8', siteUrl: null, targets: new Map(), total: 0, blogs: [] }),
    };
    const asked = request({ authorization: `Bearer ${key}` });
    const [before, after] = [await answerTo(store, asked), await answerTo(changed, asked)];
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });

  it('is 401 when the project went with it', async () => {
    const { store } = recordingStore();
    const gone = { ...store, listBlogs: () => Promise.resolve(null) };
    expect((await answerTo(gone, request({ authorization: `Bearer ${key}` }))).status).toBe(401);
  });
});
