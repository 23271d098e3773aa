import { createNumbers, keyOf, makeParagraphs, postsPerProject, projectIdOf } from './data-set.ts';

describe('data set', () => {
  it('gives each project a key of its own that could be a project key', () => {
    const keys = [0, 1, 9_999].map(keyOf);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^pk_live_[0-9A-Za-z]{32}$/);
  });
  it('gives projects ids that are UUIDs of version 4', () => {
    expect(projectIdOf(7)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
  it('draws the same numbers on every run, all of them below the limit', () => {
    const draw = () => Array.from({ length: 1_000 }, createNumbers(3).bind(null, 10));
    expect(draw()).toEqual(draw());
    expect(new Set(draw())).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });
  it('writes paragraphs of some 600 characters, no two alike', () => {
    const paragraphs = makeParagraphs(512);
    expect(new Set(paragraphs).size).toBe(512);
    const mean = paragraphs.join('').length / paragraphs.length;
    expect(mean).toBeGreaterThan(400);
    expect(mean).toBeLessThan(800);
  });
  it('shares posts out evenly', () => {
    expect(postsPerProject({ projects: 3, posts: 10 })).toBe(3);
  });
});
