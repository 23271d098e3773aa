import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { DOCUMENT_NAMES, LOCAL_ORIGIN, PACKAGE_NAMES, SHORT_GUIDE_NAMES } from '../../src/docs/guide.ts';
import { EXAMPLES, leadOf } from './lead-href.ts';
import { readOpenApi } from './open-api.ts';
import { referenceDocuments } from './reference-documents.ts';

/** What the gateway and Caddy replace by the origin (`ORIGIN_TEMPLATE` of libs/local-services; vite loads no sources). */
export const ORIGIN =
  '⟦if eq (.Req.Header.Get "X-Forwarded-Proto") "https"⟧https⟦else⟧⟦placeholder "http.request.scheme"⟧⟦end⟧://⟦.Req.Host⟧';

/** What a package's README, which is also read elsewhere, calls the deployment that its reader has. */
const DEPLOYMENT = 'https://blog.example.com';

/** A reference to a decision record, such as `([ADR 7](adr/0007-writing-once.md))`: those are in the source alone. */
const DECISION = /\s+\((?:\[ADR\s+\d+\]\([^)]+\)|ADR\s+\d+)\)/g;

const root = join(import.meta.dirname, '../../../..');
const isShort = (name: string) => SHORT_GUIDE_NAMES.some((one) => one === name);
const isPackage = (name: string) => PACKAGE_NAMES.some((one) => one === name);

/** A document as programs read it. */
interface Document {
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  readonly markdown: string;
  /** As it is in the source. */
  readonly source: string;
}

/**
 * Adds the documents as Markdown to the bundle: `docs/<name>.md` for every page, the files that they have people copy,
 * and `llms.txt`, which lists them. The origin is filled in where they are served.
 */
export function markdownDocs(): Plugin {
  return {
    name: 'markdown-docs',
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      const documents = readDocuments();
      const reference = referenceDocuments(readOpenApi()).map(({ name, text }) => documentOf(name, text));
      for (const { name, markdown } of [...documents, ...reference]) emit(`docs/${name}.md`, markdown);
      for (const fileName of ['llms.txt', 'docs/llms.txt']) emit(fileName, listOf(documents, reference));
      for (const [name, file] of Object.entries(EXAMPLES)) {
        emit(`docs/examples/${name}`, readFileSync(join(root, file), 'utf8'));
      }
    },
  };
}

export const readDocuments = (): Document[] => DOCUMENT_NAMES.map((name) => documentOf(name, sourceOf(name)));

/** Where the source has a document. */
export function fileOf(name: string): string {
  if (name === 'security') return join(root, 'SECURITY.md');
  if (isPackage(name)) return join(root, 'libs', name, 'README.md');
  return join(root, isShort(name) ? 'docs/guides' : 'docs', `${name}.md`);
}

export const sourceOf = (name: string): string =>
  readFileSync(fileOf(name), 'utf8').replaceAll(DEPLOYMENT, LOCAL_ORIGIN).replaceAll(DECISION, '');

/** A document of the source, with links and addresses that hold where it is served. */
export function documentOf(name: string, text: string): Document {
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
      return `[${words}](${LOCAL_ORIGIN}/docs/${lead.name}.md${lead.fragment})`;
    case 'openapi':
      return lead.group === undefined
        ? `[${words}](${LOCAL_ORIGIN}/blog/api/v1/openapi.json)`
        : `[${words}](${LOCAL_ORIGIN}/docs/api-${lead.group}.md)`;
    case 'example':
      return `[${words}](${LOCAL_ORIGIN}/docs/examples/${lead.file})`;
  }
}

/** https://llmstxt.org */
function listOf(documents: readonly Document[], reference: readonly Document[]): string {
  const lines = (all: readonly Document[]) =>
    all.map(({ name, title, about }) => `- [${title}](${ORIGIN}/docs/${name}.md): ${about}\n`).join('');
  return `# Blog Content Service

> People and agents write and publish posts, per project. Sites fetch them from a public read API; receivers get signed webhooks.

## Guides

${lines(documents.filter(({ name }) => isShort(name)))}
## Reference

${lines(documents.filter(({ name }) => !isShort(name) && !isPackage(name)))}- [OpenAPI](${ORIGIN}/blog/api/v1/openapi.json): Every operation of the HTTP API.

## API reference

${lines(reference)}
## Packages

${lines(documents.filter(({ name }) => isPackage(name)))}`;
}
