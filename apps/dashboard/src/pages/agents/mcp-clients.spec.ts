import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANY_KEY, mcpClients } from './mcp-clients.ts';

const ORIGIN = 'http://127.0.0.1:4000';
const readme = readFileSync(join(import.meta.dirname, '../../../../../README.md'), 'utf8');

describe('what tells a client of the tools', () => {
  it.each(['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop'])('is for %s what the README says', (name) => {
    const code = mcpClients(ORIGIN, ANY_KEY).find((client) => client.name === name)?.code ?? '';
    const written = code.startsWith('{') ? JSON.stringify(JSON.parse(code)) : code;
    expect(readme).toContain(`\`${written}\``);
  });

  it('holds the key that it is given, everywhere', () => {
    for (const { code } of mcpClients(ORIGIN, 'sk_agent_1')) expect(code).toContain('sk_agent_1');
  });
});
