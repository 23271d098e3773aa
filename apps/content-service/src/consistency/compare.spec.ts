import { compareBlog, compareProject, type BlogSides, type ContentBlog, type ProjectState } from './compare.ts';
import { planBlogRepair, planProjectRepair } from './repair/plan-repair.ts';
import { createBits } from './sides/bits.ts';

const publication = {
  publishId: 'publish 3',
  number: 3,
  slug: 'tea',
  title: 'Tea',
  updatedAt: '2026-11-28T12:00:00.000Z',
  publishedAt: '2026-11-01T12:00:00.000Z',
};
const { publishId: _publishId, number: _number, ...shown } = publication;
const newest = { number: 3, shows: true, publishId: 'publish 3', title: 'Tea', readersOnly: false };
const ended = { ...newest, number: 4, shows: false, publishId: null };

const published: BlogSides = {
  content: { state: 'published', eventNumber: 3, title: 'Tea', publication },
  read: { eventNumber: 3, shown, isParked: false },
  dispatcher: { newest, holders: ['Site'], isParked: false },
  log: { shows: true, isCurrent: true, aheadNumber: 0, title: null },
};
const hidden = (state: ContentBlog['state'] | null): BlogSides => ({
  content: state === null ? null : { state, eventNumber: 4, title: 'Tea', publication: null },
  read: { eventNumber: 4, shown: null, isParked: false },
  dispatcher: { newest: ended, holders: [], isParked: false },
  log: { shows: false, isCurrent: false, aheadNumber: 0, title: null },
});

/** Some parts of what each side has. */
interface Changes {
  readonly content?: Partial<ContentBlog>;
  readonly read?: Partial<BlogSides['read']>;
  readonly dispatcher?: Partial<BlogSides['dispatcher']>;
  readonly log?: Partial<BlogSides['log']>;
}
const changed = (sides: BlogSides, { content, read, dispatcher, log }: Changes): BlogSides => ({
  content: sides.content && { ...sides.content, ...content },
  read: { ...sides.read, ...read },
  dispatcher: { ...sides.dispatcher, ...dispatcher },
  log: { ...sides.log, ...log },
});
const differences = (sides: BlogSides) => compareBlog(sides).map(({ where, kind }) => `${where} ${kind}`);
const otherPublish = { ...newest, publishId: 'publish 2' };

describe('a published post', () => {
  it.each<[string, Changes, string[], object | null]>([
    ['is the same everywhere', {}, [], null],
    ['is not public', { read: { shown: null } }, ['read_model missing'], { number: 4, readersOnly: true }],
    [
      'is public with another title',
      { read: { shown: { ...shown, title: 'Coffee' } } },
      ['read_model stale'],
      { number: 4, readersOnly: true },
    ],
    [
      'has slugs that readers lack',
      { content: { eventNumber: 4 } },
      ['read_model behind'],
      { number: 5, readersOnly: true },
    ],
    [
      'was never planned',
      { dispatcher: { newest: null, holders: [] } },
      ['deliveries missing'],
      { number: 4, readersOnly: false },
    ],
    [
      'was planned as of an older publish',
      { dispatcher: { newest: { ...otherPublish, number: 2 } } },
      ['deliveries missing'],
      { number: 4, readersOnly: false },
    ],
    [
      'was planned as of another publish with the same number',
      { dispatcher: { newest: otherPublish } },
      ['deliveries stale'],
      { number: 4, readersOnly: false },
    ],
    ['is not in the log', { log: { isCurrent: false } }, ['log missing'], { number: 4, readersOnly: true }],
    [
      'was published again in lost transactions',
      {
        read: { eventNumber: 7, shown: { ...shown, updatedAt: '2026-11-28T12:05:00.000Z' } },
        log: { isCurrent: false, aheadNumber: 7 },
      },
      ['read_model stale', 'read_model ahead', 'log ahead'],
      { number: 8, readersOnly: false },
    ],
    [
      'waits behind a parked event',
      { read: { shown: null, eventNumber: 2, isParked: true } },
      ['read_model missing'],
      null,
    ],
  ])('%s', (_what, changes, expected, repair) => {
    const sides = changed(published, changes);
    expect(differences(sides)).toEqual(expected);
    expect(planBlogRepair(sides, true)).toEqual(repair === null ? null : { kind: 'show', ...repair });
    expect(planBlogRepair(sides, false)).toEqual(planBlogRepair(sides, true));
  });
});

describe('a post that is not published', () => {
  it.each(['draft', 'unpublished', 'deleted', null] as const)(
    'differs nowhere if it is hidden everywhere: %s',
    (state) => {
      expect(differences(hidden(state))).toEqual([]);
      for (const tells of [true, false]) expect(planBlogRepair(hidden(state), tells)).toBeNull();
    },
  );

  it.each([
    ['unpublished', 'not_published'],
    ['draft', 'not_published'],
    ['deleted', 'unowned'],
    [null, 'unowned'],
  ] as const)('is hidden, and receivers are told only when asked: %s', (state, kind) => {
    const sides = changed(hidden(state), {
      read: { shown, eventNumber: 3 },
      dispatcher: { newest, holders: ['Site'] },
      log: { shows: true },
    });
    expect(differences(sides)).toEqual([`read_model ${kind}`, 'deliveries held', `log ${kind}`]);
    const hide = { kind: 'hide', number: state === null ? 4 : 5, title: 'Tea' };
    expect(planBlogRepair(sides, false)).toEqual({ ...hide, readersOnly: true });
    expect(planBlogRepair(sides, true)).toEqual({ ...hide, readersOnly: false });
  });

  it('is left at receivers unless they are to be told, also when their record is lost', () => {
    const held = changed(hidden(null), { dispatcher: { holders: ['Site'] } });
    expect(differences(held)).toEqual(['deliveries held']);
    expect(planBlogRepair(held, false)).toBeNull();
    expect(planBlogRepair(held, true)).toMatchObject({ kind: 'hide', readersOnly: false });
    const untold = changed(hidden(null), { dispatcher: { newest: { ...ended, readersOnly: true } } });
    expect(differences(untold)).toEqual([]);
    expect(planBlogRepair(untold, false)).toBeNull();
    expect(planBlogRepair(untold, true)).toMatchObject({ kind: 'hide', readersOnly: false });
  });

  it('continues from the numbers of lost events, and tells readers of slugs that they lack', () => {
    const ahead = changed(hidden('unpublished'), { read: { eventNumber: 6 }, log: { aheadNumber: 7 } });
    expect(differences(ahead)).toEqual(['read_model ahead', 'log ahead']);
    expect(planBlogRepair(ahead, false)).toEqual({ kind: 'number', number: 7 });
    const behind = changed(hidden('unpublished'), { read: { eventNumber: 3 } });
    expect(differences(behind)).toEqual(['read_model behind']);
    expect(planBlogRepair(behind, false)).toEqual({ kind: 'slugs', number: 5 });
  });
});

describe('a project', () => {
  const project: ProjectState = {
    eventNumber: 2,
    isDeleted: false,
    name: 'Tea',
    siteUrl: null,
    suspended: null,
    members: 'a owner',
  };
  const gone: ProjectState = { eventNumber: 3, isDeleted: true, name: '', siteUrl: null, suspended: null, members: '' };
  const log = { shows: true, isCurrent: true, aheadNumber: 0 };
  const same = { content: project, read: project, dispatcher: project, log };

  it.each<[string, Partial<typeof same> | { content: null }, string[], object]>([
    ['the same', {}, [], { kind: 'save', number: 3 }],
    ['an old member', { read: { ...project, members: 'b owner' } }, ['read_model stale'], { kind: 'save', number: 3 }],
    [
      'not suspended',
      { content: { ...project, suspended: 'all' } },
      ['read_model stale', 'deliveries stale'],
      { kind: 'save', number: 3 },
    ],
    ['known from posts', { read: { ...project, eventNumber: 0 } }, ['read_model missing'], { kind: 'save', number: 3 }],
    [
      'lost changes',
      { dispatcher: { ...project, eventNumber: 5 }, log: { ...log, isCurrent: false, aheadNumber: 5 } },
      ['deliveries ahead', 'log ahead'],
      { kind: 'save', number: 6 },
    ],
    ['not in the log', { log: { ...log, isCurrent: false } }, ['log missing'], { kind: 'save', number: 3 }],
    [
      'unknown',
      { content: null },
      ['read_model unowned', 'deliveries unowned', 'log unowned'],
      { kind: 'delete', number: 3 },
    ],
    [
      'deleted, and known to receivers',
      { content: gone, read: gone, log: { ...log, shows: false } },
      ['deliveries unowned'],
      { kind: 'delete', number: 4 },
    ],
  ])('%s', (_what, changes, expected, repair) => {
    const sides = { ...same, ...changes };
    expect(compareProject(sides).map(({ where, kind }) => `${where} ${kind}`)).toEqual(expected);
    expect(planProjectRepair(sides)).toEqual(repair);
  });
});

it('keeps bits of places far apart, and clears them', () => {
  const bits = createBits();
  const places = [0, 7, 8, 65_535, 65_536, 5_000_000_000];
  for (const place of places) {
    expect(bits.has(place)).toBe(false);
    bits.set(place, true);
    expect([bits.has(place), bits.has(place + 1)]).toEqual([true, false]);
  }
  bits.set(8, false);
  bits.set(9_000_000_000, false);
  expect(places.filter((place) => bits.has(place))).toEqual(places.filter((place) => place !== 8));
});
