import { signIn, whenProjectIsKnown } from '@blog-content/local-services';
import { createChangingPosts, differences, readServed, startCopyingReceivers } from '@blog-content/testing';
import pg from 'pg';
import { startStack } from '../processes/start-stack.ts';
import { untilHealed } from './until-healed.ts';

const RECEIVERS = 2;
const LINKS_EACH = 5;
const AT_ONCE = 8;
const QUIET_MS = 2_000;
const SETTLE_MS = 15 * 60_000;

/**
 * Changes posts that link to each other as fast as the API takes it, and tells how long after the last change every
 * receiver has every post as the public API serves it, and how many deliveries that took.
 */
export async function benchHealing({ posts: count, changes }: { posts: number; changes: number }): Promise<void> {
  await using resources = new AsyncDisposableStack();
  console.log(
    `healing: ${changes} changes of ${count} posts with ${2 * LINKS_EACH} links each, ${RECEIVERS} receivers; ` +
      `sent again ${QUIET_MS} ms after the last change`,
  );
  const { settings, local } = resources.use(
    await startStack({
      environment: {
        all: { LOG_LEVEL: 'warn' },
        'content-service': { WRITES_PER_MINUTE: '1000000' },
        'webhook-dispatcher': { LINK_HEALING_QUIET_MS: `${QUIET_MS}`, LINK_HEALING_PER_HOUR: '1000000' },
      },
    }),
  );
  const receivers = await startCopyingReceivers(RECEIVERS);
  resources.defer(() => receivers.close());
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Bench', site_url: 'https://site.example' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  for (let receiver = 0; receiver < RECEIVERS; receiver += 1) {
    await whenProjectIsKnown(() =>
      owner.post(`projects/${id}/webhooks`, { url: receivers.url(receiver), heal_links: true }),
    );
  }
  const call = async <Answer>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${local.origin}/blog/api/v1/owner/projects/${id}/${path}`, {
      method,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };

  const posts = await createChangingPosts(call, { count, linksEach: LINKS_EACH, random: Math.random });
  console.error(`· ${count} posts are published`);
  const startedAt = performance.now();
  await posts.change(changes, AT_ONCE);
  const changedAt = performance.now();
  console.error(`· ${changes} changes are made`);

  const database = new pg.Client({ connectionString: local.databaseUrls['webhook-dispatcher'] });
  await database.connect();
  resources.defer(() => database.end());
  const settled = await untilHealed(database, SETTLE_MS);
  const served = await readServed(local.origin, publicKey);
  const outdated = Array.from({ length: RECEIVERS }, (_, at) => differences(served, receivers.copies(at)).length);
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
  const { rows } = await database.query<{ kind: string; status: string; count: number }>(
    'SELECT kind, status, count(*)::int AS count FROM delivery GROUP BY kind, status ORDER BY kind, status',
  );
  const { published, unpublished, moved, regrouped } = posts.counts;
  console.log(`changes: ${published} published, ${unpublished} taken down, ${moved} moved, ${regrouped} regrouped`);
  console.log(
    `at ${(changes / ((changedAt - startedAt) / 1_000)).toFixed(0)} changes/s for ${seconds(startedAt, changedAt)} s`,
  );
  for (const row of rows) console.log(`deliveries: ${row.kind}, ${row.status}: ${row.count}`);
  console.log(`nothing left to send ${seconds(changedAt, settled)} s after the last change`);
  console.log(
    `posts that the public API serves: ${served.size}; copies that differ, at each receiver: ${outdated.join(', ')}`,
  );
  console.log(outdated.every((differing) => differing === 0) ? 'every copy is as served: ok' : 'copies differ: UNDER');
}
