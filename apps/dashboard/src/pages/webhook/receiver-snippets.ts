export interface Snippet {
  readonly language: string;
  /** Where the raw bytes come from there; empty where the page says nothing. */
  readonly note: string;
  readonly code: string;
}

const SECTION = /^## Verify the signature\n([\s\S]*?)^## /m;
const BLOCK = /^([A-Z][A-Za-z]*)\.(.*)\n\n```\w+\n([\s\S]*?)^```$/gm;

/** The verifying functions of docs/webhooks.md, whose tests run them; one for each language. */
export function receiverSnippets(page: string): readonly Snippet[] {
  const section = SECTION.exec(page)?.[1] ?? '';
  return [...section.matchAll(BLOCK)].map(([, language = '', note = '', code = '']) => ({
    language,
    note: note.replaceAll('`', '').trim(),
    code: code.trimEnd(),
  }));
}
