import { entityTag, isAnyTag, listsTag } from './representation.ts';

const project = { projectId: '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11', version: '7' };

describe('entity tags', () => {
  it('are strong, quoted and the same for the same state', () => {
    expect(entityTag(project, 'sitemap', 'identity')).toMatch(/^"[\w-]{32}"$/);
    expect(entityTag(project, 'sitemap', 'identity')).toBe(entityTag({ ...project }, 'sitemap', 'identity'));
  });

  it('differ by project, version, representation and coding', () => {
    const tags = [
      entityTag(project, 'sitemap', 'identity'),
      entityTag(project, 'sitemap', 'gzip'),
      entityTag(project, 'sitemap', 'br'),
      entityTag({ ...project, version: '8' }, 'sitemap', 'identity'),
      entityTag({ ...project, projectId: '3f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11' }, 'sitemap', 'identity'),
      entityTag(project, 'blog:sitemap', 'identity'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });
});

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '  "a"  ', '"x,y", "a"'])('%s lists "a"', (header) => {
    expect(listsTag(header, '"a"')).toBe(true);
  });

  it.each([undefined, '', '"b"', 'a', '"A"', '"a', 'a"', '"b, "a', '*', 'w/"a"'])('%s does not', (header) => {
    expect(listsTag(header, '"a"')).toBe(false);
  });

  it('may be a star', () => {
    expect([' * ', '*'].map(isAnyTag)).toEqual([true, true]);
    expect([undefined, '"*"', '*, "a"', ''].map(isAnyTag)).toEqual([false, false, false, false]);
  });
});
