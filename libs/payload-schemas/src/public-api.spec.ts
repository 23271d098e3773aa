import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extras } from './extras/extra-fields.ts';
import { postImages } from './extras/post-images.ts';
import { publicBlog, publicBlogListItem } from './public-api.ts';

const contract = readFileSync(join(import.meta.dirname, '../../../docs/contract.md'), 'utf8');

/** The names in the first column of the tables of a section, such as `2.1`. */
function fieldsOf(section: string): string[] {
  const text = contract.split(/^#{2,4} /m).find((part) => part.startsWith(`${section} `)) ?? '';
  return [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

const asked: string[] = [
  ...extras.namesOnRequest('public'),
  ...Object.keys(postImages),
  'translations',
  'structured_data',
];
/** The names that nobody has to ask for. */
const unasked = (shape: object) => Object.keys(shape).filter((name) => !asked.includes(name));

describe('the contract (docs/contract.md)', () => {
  it('names exactly the fields of a blog in a list (contract §2.1)', () => {
    expect(fieldsOf('2.1').sort()).toEqual(unasked(publicBlogListItem.shape).sort());
  });

  it('names exactly the fields of one blog: those of a list and its own (contract §2.2)', () => {
    expect([...fieldsOf('2.1'), ...fieldsOf('2.2')].sort()).toEqual(unasked(publicBlog.shape).sort());
  });
});
