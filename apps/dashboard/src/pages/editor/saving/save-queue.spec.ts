import { SaveQueue, type Changes, type Judgement } from './save-queue.ts';

interface Call {
  readonly changes: Changes;
  readonly version: number;
  readonly answer: (version: number) => void;
  readonly refuse: (judgement: Judgement, askedToWaitMs?: number) => void;
}

/** A queue whose service answers when the test says so, and whose clock moves only when the test moves it. */
function setUp() {
  const calls: Call[] = [];
  const waits = new Set<{ run: () => void; at: number }>();
  const saved = { version: 1, content: '' };
  let now = 0;
  const queue = new SaveQueue<{ version: number }>(
    {
      version: 1,
      send: (changes, version) =>
        new Promise((resolve, reject) => {
          calls.push({
            changes,
            version,
            answer: (next) => resolve({ version: next }),
            refuse: (judgement, askedToWaitMs = 0) => reject(new Error(judgement, { cause: askedToWaitMs })),
          });
        }),
      read: () => Promise.resolve(saved),
      judge: (error) => (error as Error).message as Judgement,
      askedToWaitMs: (error) => (error as Error).cause as number,
      wait: (run, ms) => {
        const wait = { run, at: now + ms };
        waits.add(wait);
        return () => waits.delete(wait);
      },
      onSaved: () => undefined,
    },
    () => now,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number) => {
    now += ms;
    for (const wait of waits) {
      if (wait.at > now) continue;
      waits.delete(wait);
      wait.run();
    }
    await settle();
  };
  return { queue, calls, saved, pass, settle };
}

describe('the save queue', () => {
  it('saves when typing rests, with the newest text only', async () => {
    const { queue, calls, pass } = setUp();
    queue.change('content', 'a');
    await pass(500);
    queue.change('content', 'ab');
    await pass(900);
    expect(calls).toEqual([]);
    expect(queue.state.kind).toBe('unsaved');
    await pass(100);
    expect(calls.map(({ changes, version }) => ({ changes, version }))).toEqual([
      { changes: { content: 'ab' }, version: 1 },
    ]);
  });

  it('is untouched until something is changed, or done to the post', async () => {
    const [changed, acted] = [setUp().queue, setUp().queue];
    expect([changed.isUntouched, await changed.flush(), changed.isUntouched]).toEqual([true, true, true]);
    changed.change('title', 'T');
    await acted.run((version) => Promise.resolve({ result: null, version }));
    expect([changed.isUntouched, acted.isUntouched]).toEqual([false, false]);
  });

  it('saves every five seconds while somebody types without a rest', async () => {
    const { queue, calls, pass } = setUp();
    for (let time = 0; time < 10; time += 1) {
      queue.change('content', `${time}`);
      await pass(500);
    }
    expect(calls).toHaveLength(1);
  });

  it('asks for a text when it is sent, not when it is changed', async () => {
    const { queue, calls, pass } = setUp();
    let text = 'early';
    queue.change('content', () => text);
    text = 'late';
    await pass(1_000);
    expect(calls[0]?.changes).toEqual({ content: 'late' });
  });

  it('sends a settings save after a text save under way, by the version that one made', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'text');
    await pass(1_000);
    queue.change('slug', 'new-slug');
    await pass(1_000);
    expect(calls).toHaveLength(1);
    calls[0]?.answer(2);
    await settle();
    expect(calls[1]).toMatchObject({ changes: { slug: 'new-slug' }, version: 2 });
  });

  it('loses nothing that is typed while a save is under way', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'one');
    await pass(1_000);
    expect(queue.state.kind).toBe('saving');
    queue.change('content', 'one two');
    calls[0]?.answer(2);
    await settle();
    expect(calls[1]).toMatchObject({ changes: { content: 'one two' }, version: 2 });
    calls[1]?.answer(3);
    await settle();
    expect(queue.state.kind).toBe('saved');
  });

  it('says that all is saved once it is, so that nobody is warned on leaving', async () => {
    const { queue, calls, settle } = setUp();
    queue.change('title', 'T');
    const flushed = queue.flush();
    await settle();
    calls[0]?.answer(2);
    expect(await flushed).toBe(true);
    expect(queue.state.kind).toBe('saved');
  });

  it('stops at a version that somebody else has made, and never overwrites it by itself', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'mine');
    await pass(1_000);
    calls[0]?.refuse('conflict');
    await settle();
    queue.change('content', 'mine, longer');
    await pass(60_000);
    expect(queue.state.kind).toBe('conflict');
    expect(calls).toHaveLength(1);
    expect(queue.unsaved).toEqual({ content: 'mine, longer' });
  });

  it('puts this tab’s text over the other version when a person says so', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'mine');
    await pass(1_000);
    calls[0]?.refuse('conflict');
    await settle();
    queue.keepMine(7);
    await pass(0);
    expect(calls[1]).toMatchObject({ changes: { content: 'mine' }, version: 7 });
  });

  it('goes on from the other version when a person takes it', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'mine');
    await pass(1_000);
    calls[0]?.refuse('conflict');
    await settle();
    queue.takeTheirs(7);
    expect(queue.state.kind).toBe('saved');
    queue.change('title', 'T');
    await pass(1_000);
    expect(calls[1]).toMatchObject({ changes: { title: 'T' }, version: 7 });
  });

  it('tries again when the service was away, with what was typed since', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'one');
    await pass(1_000);
    calls[0]?.refuse('later');
    await settle();
    expect(queue.state.kind).toBe('later');
    await pass(5_000);
    expect(calls[1]).toMatchObject({ changes: { content: 'one' }, version: 1 });
  });

  it('waits as long as the service asks, even if someone types, unless a person presses Save', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('content', 'a');
    await pass(1_000);
    calls[0]?.refuse('later', 60_000);
    await settle();
    for (let time = 0; time < 50; time += 1) {
      queue.change('content', `a${time}`);
      await pass(1_000);
    }
    expect(calls).toHaveLength(1);
    await pass(10_000);
    expect(calls[1]?.changes).toEqual({ content: 'a49' });
    calls[1]?.refuse('later', 1e12);
    await settle();
    void queue.flush();
    await settle();
    expect(calls).toHaveLength(3);
    calls[2]?.refuse('later', 1e12);
    await settle();
    await pass(300_000);
    expect(calls).toHaveLength(4);
  });

  it('does not take itself for somebody else when it has saved and the answer was lost', async () => {
    const { queue, calls, saved, pass, settle } = setUp();
    queue.change('content', 'mine');
    await pass(1_000);
    Object.assign(saved, { version: 2, content: 'mine' });
    calls[0]?.refuse('later');
    await settle();
    queue.change('content', 'mine, and more');
    await pass(5_000);
    calls[1]?.refuse('conflict');
    await settle();
    expect(calls[2]).toMatchObject({ changes: { content: 'mine, and more' }, version: 2 });
    expect(queue.state.kind).toBe('saving');
  });

  it.each([
    ['has other words', { version: 2, content: 'theirs' }],
    ['came after it', { version: 3, content: 'mine' }],
  ])('asks a person when the version behind a lost answer %s', async (_, theirs) => {
    const { queue, calls, saved, pass, settle } = setUp();
    queue.change('content', 'mine');
    await pass(1_000);
    Object.assign(saved, theirs);
    calls[0]?.refuse('later');
    await settle();
    await pass(5_000);
    calls[1]?.refuse('conflict');
    await settle();
    expect(queue.state.kind).toBe('conflict');
    expect(calls).toHaveLength(2);
  });

  it('keeps back no other field because of one that is refused', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('slug', 'taken');
    queue.change('excerpt', 'fine');
    await pass(1_000);
    calls[0]?.refuse('refused');
    await settle();
    calls[1]?.answer(2);
    await settle();
    expect(calls[1]?.changes).toEqual({ excerpt: 'fine' });
    expect([...queue.state.refused.keys()]).toEqual(['slug']);
    queue.change('slug', 'free');
    expect(queue.state.refused.size).toBe(0);
  });

  it('publishes only what is saved, by the version that saving made', async () => {
    const { queue, calls, settle } = setUp();
    queue.change('content', 'text');
    const ran = queue.run((version) => Promise.resolve({ result: version, version: version + 1 }));
    await settle();
    calls[0]?.answer(5);
    expect(await ran).toBe(5);
    expect(queue.version).toBe(6);
  });

  it('does not publish without what was refused', async () => {
    const { queue, calls, settle } = setUp();
    queue.change('content', 'too long');
    const ran = queue.run(() => Promise.resolve({ result: null, version: 1 }));
    const refused = expect(ran).rejects.toThrow('refused');
    await settle();
    calls[0]?.refuse('refused');
    await refused;
  });

  it('does not publish while something cannot be saved', async () => {
    const { queue, calls, settle } = setUp();
    queue.change('content', 'text');
    const ran = queue.run(() => Promise.resolve({ result: null, version: 1 }));
    const refused = expect(ran).rejects.toThrow('later');
    await settle();
    calls[0]?.refuse('later');
    await refused;
  });

  it('saves the text when the title beside it is refused, and keeps back the title alone', async () => {
    const { queue, calls, pass, settle } = setUp();
    queue.change('title', '');
    queue.change('content', 'words');
    await pass(1_000);
    calls[0]?.refuse('refused');
    await settle();
    calls[1]?.refuse('refused');
    await settle();
    expect(calls.map(({ changes }) => changes)).toEqual([
      { title: '', content: 'words' },
      { title: '' },
      { content: 'words' },
    ]);
    calls[2]?.answer(2);
    await settle();
    expect([...queue.state.refused.keys()]).toEqual(['title']);
    expect(queue.state.kind).toBe('saved');
  });
});
