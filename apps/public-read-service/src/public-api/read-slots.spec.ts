import { parsePublicQuery } from '../request/parse-public-query.ts';
import { formatPosition, positionOf } from '../request/position.ts';
import { createReadSlots } from './read-slots.ts';

const CONNECTIONS = 7;

const id = '8f0c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a';
const position = positionOf(id, '1767225600000');
const sinceOf = (...parts: object[]) => formatPosition(Object.assign({}, position, ...parts));

/** Asks for slots; `entered` has the accounts that have got one, in their order. */
function startSlots() {
  const slots = createReadSlots(CONNECTIONS);
  const entered: string[] = [];
  const leaves: (() => void)[] = [];
  const ask = async (accountId: string, path: string) => {
    const target = `/blog/api/v1/public${path}`;
    const { query } = parsePublicQuery({ method: 'GET', target, authorization: undefined });
    if (query.kind === 'refusal') throw new Error(query.detail);
    leaves.push(await slots.enter(accountId, query));
    entered.push(accountId);
  };
  const askFor = (count: number, accountId: string, path: string) => {
    // Who still waits when the test is over is refused after its time.
    for (let number = 0; number < count; number += 1) ask(accountId, path).catch(() => undefined);
  };
  return { askFor, entered, leave: () => leaves.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reads of one account, many at once', () => {
  it.each([
    ['lists', '/blogs', 3],
    ['blogs', '/blogs/tea', 3],
    ['feeds', '/feed.xml', 3],
    ['searches', '/blogs?q=tea', 1],
    ['lists of a category', '/blogs?category=Tea', 1],
    ['lists of a tag', '/blogs?tag=tea', 1],
    ['pages far behind', '/blogs?offset=500', 1],
    ['related blogs', '/blogs/tea/related', 1],
    ['first pages of all posts', '/blogs?since=0', 3],
    ['next pages of all', `/blogs?since=${sinceOf({ upTo: { publishedAt: '2026-01-02T08:00:00.120Z', id } })}`, 3],
    ['changes', `/blogs?since=${sinceOf()}`, 1],
    ['changes within a version', `/blogs?since=${sinceOf({ change: { kind: 1, slug: 'tea', blogId: id } })}`, 1],
    ['sitemaps', '/blogs/sitemap', 1],
  ])('leave connections to others: %s', async (_name, path, atOnce) => {
    const { askFor, entered } = startSlots();
    askFor(50, 'greedy', path);
    askFor(1, 'modest', '/blogs/tea');
    await settle();
    expect(entered.filter((account) => account === 'greedy')).toHaveLength(atOnce);
    expect(entered).toContain('modest');
  });

  it('take turns with those of others', async () => {
    const { askFor, entered, leave } = startSlots();
    askFor(50, 'greedy', '/blogs?q=tea');
    askFor(2, 'modest', '/blogs?q=tea');
    await settle();
    for (let left = 0; left < 3; left += 1) {
      leave();
      await settle();
    }
    expect(entered).toEqual(['greedy', 'greedy', 'modest', 'greedy']);
  });
});

it('Long reads of however many accounts keep no other read waiting', async () => {
  const { askFor, entered } = startSlots();
  for (let account = 0; account < 20; account += 1) {
    askFor(5, `greedy-${account}`, '/blogs?q=tea');
    askFor(5, `greedy-${account}`, '/blogs?category=Tea');
  }
  askFor(1, 'modest', '/blogs');
  await settle();
  expect(entered).toContain('modest');
});
