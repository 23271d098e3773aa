import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Stack } from '../try-examples/start-stack.ts';
import { postsOf } from '../try-imports/look.ts';
import { newProject, publicPosts, type FilledProject, type PublicPost } from './fill-project.ts';

const WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Imports an export into another project; what differs there, as sentences. */
export async function importAgain(
  stack: Stack,
  file: string,
  from: FilledProject,
  posts: readonly PublicPost[],
): Promise<string[]> {
  const to = await newProject(stack, 'Another');
  const headers = { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/zip' };
  const url = `${stack.origin}/blog/api/v1/owner/projects/${to.id}/imports?publish=true`;
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(await readFile(file)) });
  if (!answer.ok) return [`${answer.status} ${(await answer.text()).slice(0, 500)}`];
  const { id } = (await answer.json()) as { id: string };
  for (const deadline = Date.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
    const job = await stack.owner.get<{ status: string; failed: number }>(`projects/${to.id}/imports/${id}`);
    if (job.failed > 0) return [`${job.failed} files failed`];
    if (job.status === 'finished') break;
    if (Date.now() > deadline) return ['the import does not finish'];
  }
  const shown = await publicPosts(stack, to, posts.length);
  return [
    ...differences(await postsOf(stack, from.id), await postsOf(stack, to.id), from.id, to.id),
    ...differences(byslug(posts), byslug(shown), from.id, to.id),
  ];
}

const byslug = (posts: readonly PublicPost[]) => new Map(posts.map((post) => [post.slug, post]));

/** What says where and when a post was made, and not what it is. */
const OF_THE_PROJECT = new Set(['id', 'project_id', 'version', 'created_at', 'updated_at', 'aliases', 'live_posts']);

function differences(
  before: ReadonlyMap<string, object>,
  after: ReadonlyMap<string, object>,
  from: string,
  to: string,
) {
  const lost = [...before.keys()].filter((slug) => !after.has(slug)).map((slug) => `${slug} is missing`);
  const changed = [...after].flatMap(([slug, post]) => {
    const was = Object.entries(before.get(slug) ?? {});
    const is = JSON.parse(JSON.stringify(post).replaceAll(to, from)) as Record<string, unknown>;
    return was
      .filter(([name, value]) => !OF_THE_PROJECT.has(name) && !isDeepStrictEqual(value, is[name]))
      .map(([name, value]) => `${slug}: ${name} is ${JSON.stringify(is[name])}, not ${JSON.stringify(value)}`);
  });
  return [...lost, ...changed];
}
