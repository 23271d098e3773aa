import { followStream, type Connect } from './follow-stream.ts';
import type { News } from './what-to-read.ts';

const news: News = { event: 'blog.changed', data: { blog_id: 'b' } };
const gone = { status: 404, retryAfterS: null, heard: false };

/** Follows connections that go as written, and says from where each began, what was heard and what was waited. */
async function follow(connections: readonly Connect[], lastId?: string) {
  const began: (string | undefined)[] = [];
  const heard: unknown[] = [];
  const waited: number[] = [];
  let next = 0;
  await followStream({
    connect: (from, onNews) => {
      began.push(from);
      return (connections[next++] ?? (() => Promise.resolve(gone)))(from, onNews);
    },
    lastId,
    hear: (one, id) => heard.push([one.event, id]),
    sleep: (ms) => {
      waited.push(ms);
      return Promise.resolve();
    },
    random: () => 0,
    signal: new AbortController().signal,
  });
  return { began, heard, waited };
}

const cut: Connect = (_from, onNews) => {
  onNews('1', news);
  onNews('2', null);
  return Promise.resolve({ status: 200, retryAfterS: null, heard: true });
};
const refused: Connect = () => Promise.resolve({ status: 500, retryAfterS: null, heard: false });

describe('a stream of news', () => {
  it('goes on after a cut from the last id that it was told, heartbeats among them', async () => {
    const { began, heard } = await follow([cut]);
    expect(began).toEqual([undefined, '2']);
    expect(heard).toEqual([['blog.changed', '1']]);
  });

  it('begins where another tab has got to', async () => {
    expect((await follow([], '7')).began).toEqual(['7']);
  });

  it('keeps its place through failures, and is patient again after a good connection', async () => {
    const { began, waited } = await follow([cut, refused, refused, cut, refused]);
    expect(began).toEqual([undefined, '2', '2', '2', '2', '2']);
    expect(waited).toEqual([1_000, 1_000, 2_000, 1_000, 1_000]);
  });

  it('ends when it is refused for good', async () => {
    expect((await follow([])).waited).toEqual([]);
  });
});
