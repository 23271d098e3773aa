import { createScarceWork } from '../../concurrency/scarce-work.ts';
import { createConvertToMarkdown, MAX_MARKDOWN_TAGS } from './convert-in-thread.ts';

const never = new AbortController().signal;
const NOT_SENT = { outcome: { kind: 'not_sent' } };
/** Takes as long as it may. */
const ENDLESS = `<p>${'<b>'.repeat(3_000)}x</p>`.repeat(15);

describe('converting to Markdown in a thread', () => {
  it('serves all that wait, however many of one owner', async () => {
    const convert = createConvertToMarkdown(createScarceWork().markdown);
    const made = Array.from({ length: 20 }, (_, index) => convert('a', `<p>${index}</p>`, never));
    expect(await Promise.all(made)).toEqual(made.map((_, index) => String(index)));
  });

  it('stops waiting once the attempt is interrupted, and serves the next one', async () => {
    const convert = createConvertToMarkdown(createScarceWork().markdown);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = convert('a', ENDLESS, running.signal);
    const second = convert('b', '<p>b</p>', waiting.signal);
    const third = convert('c', '<p>c</p>', never);
    waiting.abort();
    await expect(second).rejects.toMatchObject(NOT_SENT);
    running.abort();
    await expect(first).rejects.toMatchObject(NOT_SENT);
    expect(await third).toBe('c');
  });

  it('is refused for too many tags', async () => {
    const html = '<b>'.repeat(MAX_MARKDOWN_TAGS);
    await expect(createConvertToMarkdown(createScarceWork().markdown)('a', html, never)).rejects.toMatchObject({
      outcome: { kind: 'unsendable' },
    });
  });
});
