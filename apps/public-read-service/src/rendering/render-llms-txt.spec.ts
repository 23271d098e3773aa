import { withoutPlaceholders } from '@blog-content/link-resolver';
import { renderLlmsTxt } from './render-llms-txt.ts';

const channel = { title: 'Tea', siteUrl: 'https://tea.example' };
const render = (title: string) =>
  renderLlmsTxt(
    [
      {
        ...{ id: '', slug: 'a', title, excerpt: '', metaTitle: null, metaDescription: null, featuredImageUrl: null },
        ...{ categories: [], tags: [], extra: {}, publishedAt: '2026-01-01T00:00:00Z' },
      },
    ],
    1,
    channel,
  );

describe('a title in llms.txt', () => {
  it.each([
    ['INTERNAL:guide] How to', String.raw`[ INTERNAL:guide\] How to]`],
    ['INTERNAL:guide', '[ INTERNAL:guide]'],
    [' internal:guide', '[ internal:guide]'],
    ['%49NTERNAL%3Aguide', '[ %49NTERNAL%3Aguide]'],
    ['INTERNAL&#58;guide', '[ INTERNAL&#58;guide]'],
    ['&#73;NTERNAL&colon;', '[ &#73;NTERNAL&colon;]'],
  ])('spells no link placeholder with the bracket of its link: %s', (title, link) => {
    const text = render(title);
    expect(text).toContain(`\n- ${link}(https://tea.example/blog/a/)\n`);
    expect(withoutPlaceholders(text)).toBe(text);
  });

  it('follows the bracket immediately otherwise', () => {
    expect(render('INTERNAL affairs: tea')).toContain('\n- [INTERNAL affairs: tea](https://tea.example/blog/a/)\n');
  });
});
