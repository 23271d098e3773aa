import { compileContent, parseSegments, resolveLinks, type LinkTarget, type ProjectLinks } from '../src/index.ts';

/** The posts that the tests' placeholders may lead to. */
const TARGETS: ReadonlyMap<string, LinkTarget> = new Map([
  ['known', { title: 'Known' }],
  ['two-words', { title: 'Fish & <Chips> "today"' }],
  ['me', { title: 'The post itself' }],
  ['sly', { title: 'a [INTERNAL:known] b' }],
  ['tail', { title: 'NAL:' }],
]);

/** Compiles and resolves in one go; the segments pass through JSON as they do in the database. */
export function resolve(
  html: string,
  { siteUrl = 'https://site.example', targets = TARGETS, self = 'me' }: Partial<ProjectLinks> = {},
): string {
  const stored = parseSegments(JSON.parse(JSON.stringify(compileContent(html))));
  return resolveLinks(stored, { siteUrl, targets, self });
}
