import type { Item } from './wordpress-item.ts';
import { permalinksOf } from './wordpress-permalinks.ts';

const post = (name: string, link: string, status = 'publish', date = '2024-01-31 10:30:00'): Item => ({
  ...{ link, 'wp:post_name': name, 'wp:status': status, 'wp:post_date': date },
});
const secret = post('secret', 'https://old.example/?p=9', 'private', '2025-02-03 01:00:00');

describe('the URL of a private post', () => {
  it.each([
    ['https://old.example/2024/01/soup/', 'https://old.example/2025/02/secret/'],
    ['https://old.example/blog/2024/01/31/soup/', 'https://old.example/blog/2025/02/03/secret/'],
    ['https://old.example/soup', 'https://old.example/secret'],
    ['https://old.example/archives/soup.html', 'https://old.example/archives/secret.html'],
    ['https://old.example/?p=7', null],
    ['https://old.example/archives/7', null],
  ])('has the pattern of the published ones: %s', (link, address) => {
    expect(permalinksOf([post('soup', link), secret])(secret)).toBe(address);
  });

  it('distinguishes months and days with the same number', () => {
    const first = post('soup', 'https://old.example/2024/01/01/soup/', 'publish', '2024-01-01 10:30:00');
    expect(permalinksOf([first])(secret)).toBe('https://old.example/2025/02/03/secret/');
  });

  it('follows the majority, and is unknown without one', () => {
    const posts = ['a', 'b', 'c'].map((name) => post(name, `https://old.example/${name}/`));
    const custom = post('d', 'https://old.example/recipes/d/');
    expect(permalinksOf([custom, ...posts])(secret)).toBe('https://old.example/secret/');
    const byCategory = ['a', 'b', 'c'].map((name) => post(name, `https://old.example/of-${name}/${name}/`));
    expect(permalinksOf(byCategory)(secret)).toBeNull();
    expect(permalinksOf([])(secret)).toBeNull();
  });
});
