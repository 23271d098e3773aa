import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { GUIDE_NAMES, type GuideName, LOCAL_ORIGIN, SHORT_GUIDE_NAMES } from '../../src/docs/guide.ts';
import { leadOf, PACKAGE_READMES } from './lead-href.ts';

/** What the gateway and Caddy replace by the origin (`ORIGIN_TEMPLATE` of libs/local-services; vite loads no sources). */
export const ORIGIN =
  '⟦if eq (.Req.Header.Get "X-Forwarded-Proto") "https"⟧https⟦else⟧⟦placeholder "http.request.scheme"⟧⟦end⟧://⟦.Req.Host⟧';

/** What a package's README, which is also read elsewhere, calls the deployment that its reader has. */
const DEPLOYMENT = 'https://blog.example.com';

const root = join(import.meta.dirname, '../../../..');
const isShort = (name: string) => SHORT_GUIDE_NAMES.some((one) => one === name);

/** A document as programs read it. */
interface Document {
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  readonly markdown: string;
  /** As it is in the source. */
  readonly source: string;
  /** Whether it has a page of /docs. */
  readonly hasPage: boolean;
}

/**
 * Adds the documents as Markdown to the bundle: `docs/<name>.md`, the receivers that guides have people copy, and
 * `llms.txt`, which lists them. The origin is filled in where they are served.
 */
export function markdownDocs(): Plugin {
  return {
    name: 'markdown-docs',
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      const documents = readDocuments();
      for (const { name, markdown } of documents) emit(`docs/${name}.md`, markdown);
      for (const fileName of ['llms.txt', 'docs/llms.txt']) emit(fileName, listOf(documents));
      for (const file of readdirSync(join(root, 'examples')).filter((name) => name.startsWith('receiver.'))) {
        emit(`docs/examples/${file}`, readFileSync(join(root, 'examples', file), 'utf8'));
      }
    },
  };
}

export function readDocuments(): Document[] {
  const guides = GUIDE_NAMES.map((name) => [name, fileOf(name)] as const);
  const readmes = PACKAGE_READMES.map((name) => [name, `libs/${name}/README.md`] as const);
  return [...guides, ...readmes].map(([name, file]) =>
    documentOf(name, readFileSync(join(root, file), 'utf8').replaceAll(DEPLOYMENT, LOCAL_ORIGIN)),
  );
}

function fileOf(name: GuideName): string {
  if (name === 'security') return 'SECURITY.md';
  return `docs/${isShort(name) ? 'guides/' : ''}${name}.md`;
}

/** A document of the source, with links and addresses that hold where it is served. */
export function documentOf(name: string, text: string): Document {
  const hasPage = GUIDE_NAMES.some((one) => one === name);
  const markdown = text
    // All but the code.
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : withLinks(part)))
    .join('')
    .replaceAll(LOCAL_ORIGIN, ORIGIN);
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  const [paragraph = ''] = /^(?![#|`\s>-])[^]*?(?=\n\n)/m.exec(markdown.replace(/^# .*\n+/, '')) ?? [];
  const [about] = paragraph.replaceAll(/\s+/g, ' ').match(/^.*?[.:](?= |$)/) ?? [paragraph];
  return {
    name,
    title,
    about: about.replace(/:$/, '.').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
    markdown,
    source: text,
    hasPage,
  };
}

const withLinks = (text: string) =>
  text.replaceAll(/\[((?:[^[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)/g, (link, words: string, href: string) =>
    linkOf(link, words, href),
  );

function linkOf(link: string, words: string, href: string): string {
  const lead = leadOf(href);
  switch (lead?.to) {
    case undefined:
      return lead === undefined ? link : words;
    case 'document':
    case 'readme':
      return `[${words}](${LOCAL_ORIGIN}/docs/${lead.name}.md${lead.fragment})`;
    case 'openapi':
      return `[${words}](${LOCAL_ORIGIN}/blog/api/v1/openapi.json)`;
    case 'example':
      return `[${words}](${LOCAL_ORIGIN}/docs/examples/${lead.file})`;
  }
}

/** https://llmstxt.org */
function listOf(documents: readonly Document[]): string {
  const line = ({ name, title, about }: Document) => `- [${title}](${ORIGIN}/docs/${name}.md): ${about}`;
  const part = (title: string, has: (name: string) => boolean) =>
    `## ${title}\n\n${documents
      .filter(({ name }) => has(name))
      .map(line)
      .join('\n')}\n`;
  const isReadme = (name: string) => PACKAGE_READMES.some((one) => one === name);
  return `# Blog Content Service

> People and agents write and publish posts, per project. Sites fetch them from a public read API; receivers get signed webhooks.

${part('Guides', isShort)}
${part('Reference', (name) => !isShort(name) && !isReadme(name))}- [OpenAPI](${ORIGIN}/blog/api/v1/openapi.json): Every operation of the HTTP API.

${part('Packages', isReadme)}`;
}
