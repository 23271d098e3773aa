import { createOfflineWriter } from './offline-writer.ts';
import { renderPost } from './render-post.ts';
import type { Brief, OwnPost, Source } from './writer.ts';

const writer = createOfflineWriter();
const briefOf = (more: Partial<Brief>): Brief => ({ topic: 'Bread', length: 800, pictures: false, ...more }) as Brief;
const source: Source = { number: 1, title: 'Notes', url: null, text: 'Bread keeps for three days in a linen bag.' };
const ownPost: OwnPost = { slug: 'crust', title: 'A better crust', excerpt: '', keyword: null };

async function write(more: Partial<Brief>, sources: readonly Source[] = [source], ownPosts: readonly OwnPost[] = []) {
  const context = { brief: briefOf(more), sources, knowledge: [], notes: null, ownPosts };
  const outline = await writer.outline(context);
  const sections = [];
  for (const index of outline.sections.keys()) sections.push(await writer.section({ ...context, outline, index }));
  const meta = await writer.meta({ ...context, title: outline.title, text: '', categories: ['Bread'], tags: ['soup'] });
  return { title: outline.title, headings: outline.sections.map(({ heading }) => heading), meta, outline, sections };
}

describe('an outline without a model', () => {
  it.each([
    ['How to keep bread fresh', 'Step by step'],
    ['a beginner’s guide to sourdough', 'Step by step'],
    ['Why does bread go stale?', 'The short answer'],
    ['Is rye healthy', 'The short answer'],
    ['7 breads for beginners', 'One by one'],
    ['The best flours of 2026', 'One by one'],
    ['Rye vs. wheat', 'Side by side'],
    ['Our new bakery', 'Key points'],
    ['Brot länger frisch halten', 'Key points'],
  ])('has headings that fit %s, and none that bends it', async (topic, heading) => {
    const { headings, title } = await write({ topic });
    expect(headings).toContain(heading);
    expect(title.toLowerCase()).toBe(topic.toLowerCase());
    expect(title[0]).toBe(topic[0]!.toUpperCase());
    for (const each of headings) expect(each).not.toContain(topic);
  });

  it('leaves to the author what readers would see in lists and search results', async () => {
    const { meta } = await write({ topic: 'How to keep bread fresh', audience: 'families' });
    expect(meta).toEqual({
      excerpt: '',
      meta_title: '',
      meta_description: '',
      keyword: '',
      categories: ['Bread'],
      tags: [],
    });
  });

  it('says nothing of its own: only the note, headings, short points, quotes and titles of posts', async () => {
    const { outline, sections } = await write({ topic: 'Bread' }, [source], [ownPost]);
    const html = renderPost({ notice: writer.notice, outline, sections, sources: [source] });
    expect(html).toMatch(/^<blockquote><strong>Outline\./);
    expect(html).toContain('<blockquote><p>Bread keeps for three days in a linen bag.</p></blockquote>');
    expect(html).toContain('<ul><li>A better crust</li></ul>');
    expect(html).not.toMatch(/to be written|is about|reader/i);
  });

  it('keeps the headings that were given, with quotes under them', async () => {
    const { headings, sections } = await write({ topic: 'Bread', outline: ['Keeping it', 'Freezing it'] });
    expect(headings).toEqual(['Keeping it', 'Freezing it']);
    expect(sections[0]?.blocks).toMatchObject([{ kind: 'quote' }]);
  });
});
