import { readLive } from './read-live.ts';

const delivery = (
  status: 'succeeded' | 'failed',
  live_url: string | null = null,
  recovered_at: string | null = null,
) => ({
  status,
  live_url,
  recovered_at,
});

describe('the posts that are live', () => {
  it('count the destinations of the live publish that failed and were not recovered', () => {
    const live = readLive([
      { blog_id: 'a', live: true, deliveries: [delivery('failed'), delivery('succeeded', 'https://site.example/a/')] },
      { blog_id: 'a', live: false, deliveries: [delivery('failed'), delivery('failed')] },
      { blog_id: 'b', live: true, deliveries: [delivery('failed', null, '2026-01-01T00:00:00Z')] },
      { blog_id: 'c', live: false, deliveries: [delivery('failed')] },
    ]);
    expect([...live]).toEqual([
      ['a', { failed: 1, url: 'https://site.example/a/' }],
      ['b', { failed: 0, url: null }],
    ]);
  });
});
