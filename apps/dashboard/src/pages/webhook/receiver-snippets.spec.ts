import { readFileSync } from 'node:fs';
import { receiverSnippets } from './receiver-snippets.ts';

const page = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8');

describe('the snippets of a verifying receiver', () => {
  it('are those of docs/webhooks.md, in five languages at least', () => {
    const snippets = receiverSnippets(page);
    expect(snippets.map(({ name }) => name)).toEqual(['Node', 'Python', 'Go', 'Java', 'PHP', 'Ruby']);
    for (const { code } of snippets) {
      expect(code).toMatch(/sha256/i);
      expect(page).toContain(code);
    }
  });

  it('say where the raw bytes come from', () => {
    expect(receiverSnippets(page)[0]?.note).toContain('express.raw(');
  });
});
