import { DOCUMENT_NAMES, PACKAGE_NAMES } from '../../src/docs/guide.ts';

/** Files that documents have people copy, by their names below `/docs/examples/`. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'receiver.py': 'examples/receiver.py',
  'receiver.go': 'examples/receiver.go',
  'receiver.php': 'examples/receiver.php',
  'receiver-vectors.json': 'libs/receiver/receiver-vectors.json',
  'test-vectors.json': 'libs/signing/test-vectors.json',
  'asyncapi.json': 'docs/asyncapi.json',
};

/** Where a link of a document leads. */
export type Lead =
  | { readonly to: 'document'; readonly name: string; readonly fragment: string }
  /** The page of a group of the API, as in `openapi.json#webhooks`; without a group, the OpenAPI document. */
  | { readonly to: 'openapi'; readonly group: string | undefined }
  | { readonly to: 'example'; readonly file: string };

/**
 * What a relative link of a document leads to, among what is served; null for a file of the source alone. A link within
 * the page, and one to elsewhere, stays as it is: undefined.
 */
export function leadOf(href: string): Lead | null | undefined {
  if (href.startsWith('#') || /^https?:/.test(href)) return undefined;
  const [path = '', fragment] = href.split('#');
  const file = path.slice(path.lastIndexOf('/') + 1);
  if (file === 'openapi.json') return { to: 'openapi', group: fragment };
  if (EXAMPLES[file] !== undefined) return { to: 'example', file };
  const [, readme] = /^(?:\.\.\/)+libs\/([\w-]+)\/README\.md$/.exec(path) ?? [];
  const [, guide] = /^(?:\.\.\/)*(?:docs\/)?(?:guides\/)?([\w-]+)\.md$/.exec(path) ?? [];
  const name =
    PACKAGE_NAMES.find((one) => one === readme) ??
    DOCUMENT_NAMES.find((one) => one === guide?.replace('SECURITY', 'security'));
  return name === undefined ? null : { to: 'document', name, fragment: fragment === undefined ? '' : `#${fragment}` };
}
