import type { OwnerClient } from '@blog-content/local-services';
import { readFile, writeFile } from 'node:fs/promises';

const NAME = 'npm start';

/**
 * A key for an agent of the demo project: the one kept in `file` (readable by its owner only) as long as the service
 * takes it, else a new one.
 */
export async function demoAgentKey(
  { origin, owner, projectId }: { origin: string; owner: OwnerClient; projectId: string },
  file: string,
): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '') {
    const headers = { authorization: `Bearer ${kept}` };
    if ((await fetch(`${origin}/blog/api/v1/agent/blogs?limit=1`, { headers })).ok) return kept;
  }
  const { key } = await owner.post<{ key: string }>(`projects/${projectId}/agent-keys`, { name: NAME });
  await writeFile(file, key, { mode: 0o600 });
  return key;
}
