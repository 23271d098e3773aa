import type { Snippet } from '../../parts/looks/code-tabs.tsx';
import { agents as text } from '../../strings/agents.ts';

/** A placeholder where no key is known. */
export const ANY_KEY = 'sk_agent_…';

/** The same as in the README: how to add `/mcp` to popular clients, and one call without it. */
export function mcpClients(origin: string, key: string): readonly Snippet[] {
  const url = `${origin}/mcp`;
  const headers = { Authorization: `Bearer ${key}` };
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    {
      name: 'Claude Code',
      note: text.where.claudeCode,
      code: `claude mcp add --transport http blog ${url} --header "Authorization: Bearer ${key}"`,
    },
    { name: 'Cursor', note: text.where.cursor, code: json({ mcpServers: { blog: { url, headers } } }) },
    { name: 'VS Code', note: text.where.vsCode, code: json({ servers: { blog: { type: 'http', url, headers } } }) },
    {
      name: 'Claude Desktop',
      note: text.where.claudeDesktop,
      code: json({
        mcpServers: {
          blog: { command: 'npx', args: ['mcp-remote', url, '--header', `Authorization: Bearer ${key}`] },
        },
      }),
    },
    {
      name: 'HTTP',
      note: text.where.http,
      code: `curl -X POST ${origin}/blog/api/v1/agent/blogs \\
  -H 'Authorization: Bearer ${key}' -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d '{"title":"Tea","content_markdown":"Hot water on leaves."}'`,
    },
  ];
}
