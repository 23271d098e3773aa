import { seoText } from './seo-text.ts';

const values = {
  ...{ title: 'Soup', siteName: 'Kitchen', tagline: 'Warm', excerpt: '', category: 'Dinner', keyword: 'tomato soup' },
};

describe('the title of an SEO plugin', () => {
  it.each([
    ['%%title%% %%page%% %%sep%% %%sitename%%', 'Soup - Kitchen'],
    ['%title% %sep% %sitename%', 'Soup - Kitchen'],
    ['%%post_title%% %%sep%% %%sitetitle%%', 'Soup - Kitchen'],
    ['#post_title #separator_sa #site_title', 'Soup - Kitchen'],
    ['%%TITLE%% | %%focuskw%%', 'Soup | tomato soup'],
    ['%%excerpt%% %%sep%% %%tagline%%', 'Warm'],
    ['%%primary_category%% %%sep%% %%excerpt%%', 'Dinner'],
    ['Save 50% on soup', 'Save 50% on soup'],
    ['100% soup,  100% warm', '100% soup,  100% warm'],
    ['Soup - the #title of #page', 'Soup - the #title of #page'],
    ['Soup', 'Soup'],
  ])('%j is %j', (pattern, text) => {
    expect(seoText(['', pattern], values)).toEqual({ text, unknown: [] });
  });

  it.each(['%%title%%', '%%title%% %%page%%', '%%excerpt%%', ''])('%j is only the default', (pattern) => {
    expect(seoText([pattern], values)).toEqual({ text: null, unknown: [] });
  });

  it.each([
    ['%%title%% %%ct_taste%% %%cf_x%%', ['%%ct_taste%%', '%%cf_x%%']],
    ['%customfield(a)%', ['%customfield(a)%']],
    ['%constructor%', ['%constructor%']],
  ])('%j has unknown variables', (pattern, unknown) => {
    expect(seoText([pattern], values)).toEqual({ text: null, unknown });
    expect(seoText([pattern, 'Other'], values)).toEqual({ text: 'Other', unknown: [] });
  });

  it('does not expand variables within inserted values', () => {
    const text = 'Costs $& %%sep%%';
    expect(seoText(['%%title%% by us'], { ...values, title: text }).text).toBe(`${text} by us`);
  });
});
