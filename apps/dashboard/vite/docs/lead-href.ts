import { GUIDE_NAMES } from '../../src/docs/guide.ts';

/** READMEs of the published packages, which are documents in Markdown only. */
export const PACKAGE_READMES = ['client', 'receiver', 'blog-cli'] as const;

/** Where a link of a document leads. */
export type Lead =
  | { readonly to: 'document' | 'readme'; readonly name: string; readonly fragment: string }
  | { readonly to: 'openapi' }
  | { readonly to: 'example'; readonly file: string };

/**
 * What a relative link in docs/ or docs/guides leads to, among what is served; null for a file of the source alone. A
 * link within the page, and one to elsewhere, stays as it is: undefined.
 */
export function leadOf(href: string): Lead | null | undefined {
  if (href.startsWith('#') || /^https?:/.test(href)) return undefined;
  if (/^(?:\.\.\/)*openapi\.json$/.test(href)) return { to: 'openapi' };
  const [, example] = /^(?:\.\.\/)+examples\/(receiver\.\w+)$/.exec(href) ?? [];
  if (example !== undefined) return { to: 'example', file: example };
  const [, readme = '', ofReadme = ''] = /^(?:\.\.\/)+libs\/([\w-]+)\/README\.md(#.+)?$/.exec(href) ?? [];
  if (PACKAGE_READMES.some((one) => one === readme)) return { to: 'readme', name: readme, fragment: ofReadme };
  const [, file = '', fragment = ''] = /^(?:\.\.\/)*(?:docs\/)?(?:guides\/)?([\w-]+)\.md(#.+)?$/.exec(href) ?? [];
  const name = file === 'SECURITY' ? 'security' : file;
  return GUIDE_NAMES.some((guide) => guide === name) ? { to: 'document', name, fragment } : null;
}
