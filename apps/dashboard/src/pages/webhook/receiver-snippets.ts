import type { Snippet } from '../../parts/looks/code-tabs.tsx';

const SECTION = /^## Verify the signature\n([\s\S]*?)^## /m;
const BLOCK = /^([A-Z][A-Za-z]*)\.(.*)\n\n```\w+\n([\s\S]*?)^```$/gm;

/**
 * The verifying functions of docs/webhooks.md, whose tests run them; one for each language. The note says where the raw
 * bytes come from there, and is empty where the page says nothing.
 */
export function receiverSnippets(page: string): readonly Snippet[] {
  const section = SECTION.exec(page)?.[1] ?? '';
  return [...section.matchAll(BLOCK)].map(([, name = '', note = '', code = '']) => ({
    name,
    note: note.replaceAll('`', '').trim(),
    code: code.trimEnd(),
  }));
}
