import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blogPosting, type AuthorState } from '@blog-content/payload-schemas';
import { seededRandom } from '@blog-content/testing';
import { projectSaved } from '../../test/events.ts';
import { startTestService, type TestService } from '../../test/test-service.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'blog-content-json-ld-'));
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const POSTS = 200;
const VOCABULARY = fileURLToPath(import.meta.resolve('schema-dts')).replace(/\.js$/, '.d.ts');
const FAQ = '<h2>FAQ</h2><h3>Is it hot?</h3><p>It is.</p><h3>Is it “green”?</h3><p>Yes.</p>';
const STEPS = '<h2>How to brew</h2><ol><li>Boil.</li><li>Wait.</li></ol>';

/** What TypeScript says of values that are to be of a type of schema.org; empty for nothing. */
async function complaintsOn(type: string, values: readonly string[]): Promise<string> {
  const file = join(folder, 'check.ts');
  const lines = values.map((value) => `check(${value});`);
  const head = `import type { BlogPosting, FAQPage, HowTo, WithContext } from '${VOCABULARY}';\ndeclare function check(value: ${type}): void;\n`;
  await writeFile(file, head + lines.join('\n'));
  const args = [
    '--noEmit',
    '--pretty',
    'false',
    '--strict',
    '--skipLibCheck',
    '--module',
    'preserve',
    '--target',
    'es2024',
    file,
  ];
  return new Promise((resolve) => {
    const tsc = fileURLToPath(import.meta.resolve('typescript/lib/tsc.js'));
    execFile(process.execPath, [tsc, ...args], { cwd: folder, maxBuffer: 2 ** 24 }, (error, out) =>
      resolve(error ? out || error.message : ''),
    );
  });
}

/** An author with some of what one may have. */
const authorWith = (number: number, has: () => boolean): AuthorState => ({
  slug: `author-${number}`,
  former_slugs: [],
  name: `Author "${number}" </script>`,
  bio: has() ? 'Brews <tea>.' : null,
  avatar_url: has() ? `https://cdn.example/${number}.jpg` : null,
  links: has() ? [{ label: 'Site', url: `https://author-${number}.example/` }] : [],
  same_as: has() ? [`https://www.wikidata.org/wiki/Q${number}`, `https://orcid.org/${number}`] : [],
  email: 'hidden@example.com',
});

it(`JSON-LD of ${POSTS} posts has the shapes of schema.org, as have questions and steps in them`, async () => {
  const random = seededRandom(49);
  const has = () => random() < 0.5;
  const project = await service.createProject();
  const authors = Array.from({ length: 20 }, (_, number) => authorWith(number, has));
  const saved = { project_id: project.id, project_event_number: 2, site_url: 'https://tea.example', authors };
  await service.applyProjects(projectSaved(saved));
  for (let number = 0; number < POSTS; number += 1) {
    const named = authors.filter(() => random() < 0.1).map(({ slug }) => slug);
    await project.publish({
      slug: `post-${number}`,
      title: `Post ${number} </script> “quoted”`,
      content: `<p>Tea.</p>${has() ? FAQ : ''}${has() ? STEPS : ''}`,
      featured_image_url: has() ? `https://cdn.example/${number}.webp` : null,
      categories: has() ? ['Tea & cake'] : [],
      tags: has() ? ['a', 'b'] : [],
      language: has() ? 'de-AT' : null,
      authors: named,
    });
  }
  const documents: string[] = [];
  const structured: string[] = [];
  for (let number = 0; number < POSTS; number += 1) {
    const { body } = await project.get(`/blogs/post-${number}/json-ld`);
    expect(body).not.toContain('<');
    blogPosting.strict().parse(JSON.parse(body));
    documents.push(body);
    const { structured_data: parts } = await project.read<{ structured_data: object[] }>(
      `/blogs/post-${number}?fields=structured_data`,
    );
    structured.push(...parts.map((part) => JSON.stringify(part)));
  }
  expect(documents.filter((text) => text.includes('"author"')).length).toBeGreaterThan(100);
  expect(structured.length).toBeGreaterThan(100);
  expect(await complaintsOn('WithContext<BlogPosting>', documents)).toBe('');
  expect(await complaintsOn('WithContext<FAQPage> | WithContext<HowTo>', structured)).toBe('');
});

it.each([
  ['a property that schema.org has not', '"authors":[]'],
  ['a value of another kind', '"author":{"@type":"Recipe","name":"Soup"}'],
  ['a number where a text or an object is', '"publisher":7'],
])('what is not of these shapes would be noticed: %s', async (_what, property) => {
  const wrong = `{"@context":"https://schema.org","@type":"BlogPosting","headline":"Tea",${property}}`;
  expect(await complaintsOn('WithContext<BlogPosting>', [wrong])).toMatch(/check\.ts\(3,\d+\): error TS2/);
});
