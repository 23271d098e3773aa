import { entriesByDay } from './entries.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const post = (id: string, state: 'draft' | 'published' | 'unpublished', published_at: string | null) => ({
  id,
  title: id,
  language: null,
  state,
  published_at,
  publish_at: null,
});
const schedule = (blog_id: string, publish_at: string) =>
  ({ blog_id, title: blog_id, language: null, publish_at, trigger: 'manual' }) as const;

describe('the days of the calendar', () => {
  it('have what is scheduled, published, failed and planned, by time', () => {
    const days = entriesByDay(
      [schedule('later', at(20, 15))],
      [
        post('live', 'published', at(20, 9)),
        post('broken', 'published', at(19, 9)),
        post('planned', 'draft', at(20, 12)),
        post('undated', 'draft', null),
        post('gone', 'unpublished', at(20, 9)),
      ],
      new Set(['broken']),
    );
    const shown = [...days].map(([day, entries]) => [day, entries.map(({ blogId, kind }) => `${blogId} ${kind}`)]);
    expect(shown).toEqual([
      ['2026-11-19', ['broken failed']],
      ['2026-11-20', ['live published', 'planned planned', 'later scheduled']],
    ]);
  });

  it('have a dated draft once, when it is scheduled as well', () => {
    const dated = { ...post('a', 'draft', at(20, 9)), publish_at: at(20, 9) };
    const days = entriesByDay([schedule('a', at(20, 9))], [dated], new Set());
    expect(days.get('2026-11-20')?.map(({ kind }) => kind)).toEqual(['scheduled']);
  });
});
