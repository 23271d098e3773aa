import { ORIGIN_TEMPLATE } from '@blog-content/local-services';
import { readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { EXAMPLES } from './lead-href.ts';
import { documentOf, fileOf, ORIGIN, readDocuments } from './markdown-docs.ts';
import { OPEN_API_FILE } from './open-api.ts';

const documents = readDocuments();

describe('the documents as Markdown', () => {
  it('have the origin filled in by the gateway and by Caddy', () => {
    expect(ORIGIN).toBe(ORIGIN_TEMPLATE);
  });

  it.each(documents.map(({ name, markdown }) => ({ name, markdown })))(
    '$name links only to served pages and public hosts',
    ({ markdown }) => {
      const prose = markdown.replaceAll(/^```[^]*?^```$/gm, '');
      const names = new Set(documents.map(({ name }) => `${ORIGIN}/docs/${name}.md`));
      for (const [, href = ''] of prose.matchAll(/\]\(([^()\s]+)\)/g)) {
        if (href.startsWith('#') || href.startsWith('https://')) continue;
        const [path = ''] = href.split('#');
        const isServed = names.has(path) || /\/(?:openapi\.json|docs\/examples\/receiver\.\w+)$/.test(path);
        expect({ href, isServed }).toEqual({ href, isServed: true });
      }
      expect(markdown).not.toContain('http://127.0.0.1:4000');
    },
  );

  it('are introduced by a sentence each', () => {
    for (const { title, about } of documents) {
      expect(title).not.toBe('');
      expect(about).toMatch(/^[^\n]{20,250}\.$/);
    }
  });

  it('keep their code unchanged, except for the origin', () => {
    const { markdown } = documentOf('a', '# A\n\nText.\n\n```sh\ncurl http://127.0.0.1:4000/x [a](b.md)\n```\n');
    expect(markdown).toContain(`curl ${ORIGIN}/x [a](b.md)`);
  });

  it('are built from files that the image’s build has, too', () => {
    const root = join(import.meta.dirname, '../../../..');
    const allowed = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
    const files = [...documents.map(({ name }) => fileOf(name)), OPEN_API_FILE].map((file) => relative(root, file));
    const missing = [...files, ...Object.values(EXAMPLES)].filter(
      (file) => !allowed.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`)),
    );
    expect(missing).toEqual([]);
  });
});
