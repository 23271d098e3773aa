import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const CONTRACT = 'docs/contract.md';
const FOLDERS = ['.github', 'apps', 'libs', 'docs', 'docker', 'k8s', 'scripts'];
const NOT_OURS = new Set(['node_modules', 'dist', 'generated']);

/** A reference may continue in a comment's next line. */
const joinLines = (text: string): string => text.replace(/\s*\n\s*(?:\*|\/{2,3}|#|--)?\s*/g, ' ');

/** Reads `§5.2.7`, `§4.1–4.3` and `§2.1/2.2`, but no sections of standards. */
function sectionsOf(text: string): string[] {
  const sections = joinLines(text).matchAll(/(?<!(?:RFC \d+|HTML) )§\s?(\d+(?:\.\d+)*)(?:[–/](\d+(?:\.\d+)*))?/g);
  return [...sections].flatMap(([, first = '', last]) => (last === undefined ? [first] : [first, last]));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path);
    return /\.(?:ts|mjs|js|json|md|tsx|prisma|p?sql|ya?ml)$|^Dockerfile$/.test(entry.name) ? [path] : [];
  });
}

/** Blocks of code are examples. */
const withoutCode = (markdown: string): string => markdown.replaceAll(/^```[^]*?^```$/gm, '');

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(root).filter((name) => name.endsWith('.md'));
const recipes = readdirSync(join(root, 'docs/recipes')).map((name) => `docs/recipes/${name}`);
const own = relative(root, import.meta.filename);
const files = [...pages, ...FOLDERS.flatMap(filesIn)]
  .filter((path) => path !== own)
  .map((path) => ({ path, text: read(path) }));
const references = files.flatMap(({ path, text }) => sectionsOf(text).map((number) => ({ path, number })));

const contract = read(CONTRACT);
const headings = [...contract.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) => heading);
const numbers = new Set(headings.map((heading) => heading.split(' ', 1)[0]));

describe('a reference to the contract', () => {
  it('is read in each of its forms, and a section of a standard is none', () => {
    const text = 'contract §1.4, §4.1–4.3 (RFC 9110 §13.2.2, WHATWG HTML §13.2.5); contract\n * §8';
    expect(sectionsOf(text)).toEqual(['1.4', '4.1', '4.3', '8']);
  });

  it('leads to a section of docs/contract.md', () => {
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  it('is never a title of a section', () => {
    const byTitle = /\bcontract(?: §[§\d.,–/ and]+,)? \\?[“"]/;
    expect(files.filter(({ text }) => byTitle.test(joinLines(text))).map(({ path }) => path)).toEqual([]);
  });

  it('names no paper that the repository does not have', () => {
    const papers = /(?<![\w/.-])(?:spec|decisions|architecture|facts)\.md\b/;
    expect(files.filter(({ text }) => papers.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

/** Numbers of decisions: `ADR 7`, `ADRs 4, 5`. */
const DECISIONS = /\bADRs? (\d+(?:, \d+)*)/g;

describe('a reference to a decision', () => {
  const pages = readdirSync(join(root, 'docs/adr')).filter((name) => name !== 'README.md');
  const numbers = pages.map((name) => Number(name.slice(0, 4)));

  it('leads to the one page that has its number', () => {
    expect(numbers).toEqual([...new Set(numbers)]);
    const all = files.flatMap(({ path, text }) =>
      [...text.matchAll(DECISIONS)].flatMap(([, list = '']) =>
        list.split(', ').map((number) => ({ path, number: Number(number) })),
      ),
    );
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });

  it('links the page that it names', () => {
    const links = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\[ADR (\d+)\]\([^)]*?(\d{4})-[^)]*\)/g)].map(([, named, linked]) => ({ path, named, linked })),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ named, linked }) => Number(named) !== Number(linked))).toEqual([]);
  });

  it('finds each page in the list of docs/adr/README.md, under its number', () => {
    const list = [...read('docs/adr/README.md').matchAll(/^(\d+)\. \[[^\]]+\]\(([^)]+)\)$/gm)];
    expect(list.map(([, number, page]) => ({ number: Number(number), page }))).toEqual(
      pages.map((page) => ({ number: Number(page.slice(0, 4)), page })),
    );
  });
});

describe('what Markdown names', () => {
  // Templates of generated documents have the links of the page that is made from them.
  const markdown = files.filter(({ path }) => path.endsWith('.md') && !/\/src\//.test(path));

  it('is there when it is a link into the repository', () => {
    const links = markdown.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/\]\((?!https?:|#|mailto:|\[)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => ({
        path,
        target,
      })),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ path, target }) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  });

  it('exists when CONTRIBUTING.md, a recipe or docs/ARCHITECTURE.md names it: a file by the end of its path', () => {
    const known = files.map(({ path }) => `/${path}`);
    const named = ['CONTRIBUTING.md', ...recipes, 'docs/ARCHITECTURE.md'].flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+\.(?:ts|mjs|md|ya?ml))`/g)].map(([, file = '']) => file),
    );
    expect(named.length).toBeGreaterThan(30);
    const isThere = (file: string) => known.some((path) => path.endsWith(`/${file}`)) || existsSync(join(root, file));
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });

  it('exists when a recipe names it: a name in code', () => {
    const sources = files.filter(({ path }) => !path.endsWith('.md')).map(({ text }) => text);
    const named = recipes.flatMap((page) => [...read(page).matchAll(/`([a-z]+[A-Z]\w+|[A-Z]\w{2,})(?:\([^`]*\))?`/g)]);
    const names = named.map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !sources.some((text) => text.includes(name)))).toEqual([]);
  });
});

describe('a log line that docs/troubleshooting.md names', () => {
  const logged = [...read('docs/troubleshooting.md').matchAll(/`((?!blog\.|test\.)[a-z_]+(?:\.[a-z_]+)+)`/g)];
  const sources = files.filter(({ path }) => path.endsWith('.ts')).map(({ text }) => text);

  it('is one that a service writes', () => {
    expect(logged.length).toBeGreaterThan(10);
    const events = logged.map(([, event = '']) => event);
    expect(events.filter((event) => !sources.some((text) => text.includes(`'${event}'`)))).toEqual([]);
  });
});

it('A link to a part of docs/contract.md leads to one of its headings', () => {
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  );
  const all = files.flatMap(({ path, text }) =>
    [...text.matchAll(/contract(?:\.md)?#([\w-]+)/g)].map(([, anchor = '']) => ({ path, anchor })),
  );
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter(({ anchor }) => !anchors.includes(anchor))).toEqual([]);
});

describe('a link of docs/contract.md', () => {
  const targets = [...contract.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

  it('leads to a file that is there, when it leaves the page', () => {
    const paths = targets.filter((target) => !target.startsWith('#')).map((target) => target.replace(/#.*/, ''));
    expect(paths.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([]);
  });
});
