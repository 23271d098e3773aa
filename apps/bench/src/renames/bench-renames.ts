import { signIn, whenProjectIsKnown } from '@blog-content/local-services';
import {
  checkLinks,
  createRenamingPosts,
  differences,
  readRedirects,
  readServed,
  seededRandom,
  startCopyingReceivers,
  watchLinks,
} from '@blog-content/testing';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { untilHealed } from '../healing/until-healed.ts';
import { startStack } from '../processes/start-stack.ts';

const AT_ONCE = 8;
const READERS = 4;
const QUIET_MS = 2_000;
const SETTLE_MS = 60 * 60_000;
/** Between posts that someone else publishes at the same time. */
const BESIDE_EVERY_MS = 250;

export interface RenamesSize {
  readonly posts: number;
  readonly links: number;
  readonly changes: number;
  readonly seed: number;
}

/**
 * Renames posts that link to each other, while others read and publish, and then looks for links that are lost, lead to
 * another post, or by more than one redirect, and for copies at receivers that differ from what the public API serves.
 * One receiver's links are healed meanwhile, the other one's once all is over. False when anything is wrong.
 */
export async function benchRenames({ posts: count, links, changes, seed }: RenamesSize): Promise<boolean> {
  await using resources = new AsyncDisposableStack();
  console.log(`renames: ${changes} changes of slugs among ${count} posts with ${links} links; --seed ${seed}`);
  const { settings, local } = resources.use(
    await startStack({
      environment: {
        all: { LOG_LEVEL: 'warn' },
        'content-service': { WRITES_PER_MINUTE: '1000000' },
        'webhook-dispatcher': { LINK_HEALING_QUIET_MS: `${QUIET_MS}`, LINK_HEALING_PER_HOUR: '1000000' },
      },
    }),
  );
  const receivers = await startCopyingReceivers(2);
  resources.defer(() => receivers.close());
  const database = new pg.Client({ connectionString: local.databaseUrls['webhook-dispatcher'] });
  await database.connect();
  resources.defer(() => database.end());
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Bench', site_url: 'https://site.example' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  // A key does not expire, however long it takes.
  const { key } = await owner.post<{ key: string }>(`projects/${id}/agent-keys`, { name: 'Bench' });
  const call = callerOf(`${local.origin}/blog/api/v1/agent`, key);
  const callAsOwner = async <Answer>(method: string, path: string, body: object) => {
    const { token } = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
    return callerOf(`${local.origin}/blog/api/v1/owner/projects/${id}`, token)<Answer>(method, path, body);
  };
  const healLinks = (webhookId: string) => callAsOwner('PATCH', `webhooks/${webhookId}`, { heal_links: true });

  const random = seededRandom(seed);
  const webhookIds: string[] = [];
  const beforePublishing = async () => {
    console.error(`· ${count} posts are written`);
    // What comes out of date while all of them are published is repaired once.
    for (const receiver of [0, 1]) {
      const url = receivers.url(receiver);
      webhookIds.push((await callAsOwner<{ id: string }>('POST', 'webhooks', { url })).id);
    }
  };
  const posts = await createRenamingPosts(call, { count, links, random, beforePublishing });
  const settledAfter = async () => {
    const startedAt = performance.now();
    await untilHealed(database, SETTLE_MS);
    return seconds(performance.now() - startedAt);
  };
  console.error(`· ${count} posts are published; nothing left to send ${await settledAfter()} s later`);
  const [healedFromNowOn = '', late = ''] = webhookIds;
  await healLinks(healedFromNowOn);
  console.error(`· links are healed at one receiver; nothing left to send ${await settledAfter()} s later`);

  const over = new AbortController();
  const readers = { readers: READERS, random: seededRandom(seed + 1), over: over.signal };
  const reading = watchLinks({ origin: local.origin, publicKey }, posts.posts, readers);
  const publishing = publishBeside(call, over.signal);
  const startedAt = performance.now();
  await posts.change(changes, AT_ONCE).finally(() => over.abort());
  const changingMs = performance.now() - startedAt;
  const [seen, beside] = await Promise.all([reading, publishing]);
  const kinds = Object.entries(posts.counts).map(([kind, times]) => `${times} ${kind}`);
  console.log(`changes: ${kinds.join(', ')}; in ${seconds(changingMs)} s, beside ${beside} publishes of others`);
  console.log(`readers meanwhile: ${seen.reads} reads; links lost ${seen.lost}, to another post ${seen.wrong}`);
  console.log(`nothing left to send ${await settledAfter()} s after the last change`);

  const served = await readServed(local.origin, publicKey);
  const findings = checkLinks(posts, served, await readRedirects(local.origin, publicKey));
  console.log(
    `in the end: links lost ${findings.lost}, to another post ${findings.wrong}; slugs that are not as given ` +
      `${findings.misnamed}; of ${posts.aliases.size} redirects chains ${findings.chains}, loops ${findings.loops}, ` +
      `missing or elsewhere ${findings.misled}`,
  );
  const healed = differences(served, receivers.copies(0)).length;
  const stale = differences(served, receivers.copies(1)).length;
  await healLinks(late);
  const repairedS = await settledAfter();
  const repaired = differences(served, receivers.copies(1)).length;
  console.log(`copies that differ from the ${served.size} that are served, where links are healed: ${healed}`);
  console.log(`where healing is turned on now: ${stale} before, ${repaired} after ${repairedS} s`);
  const { rows } = await database.query<{ kind: string; status: string; count: number }>(
    'SELECT kind, status, count(*)::int AS count FROM delivery GROUP BY kind, status ORDER BY kind, status',
  );
  for (const row of rows) console.log(`deliveries: ${row.kind}, ${row.status}: ${row.count}`);
  const isRight = [...Object.values<number>({ ...findings }), seen.lost, seen.wrong, healed, repaired].every(
    (wrong) => wrong === 0,
  );
  console.log(isRight ? 'every link leads to its post, everywhere: ok' : 'links are wrong: UNDER');
  return isRight;
}

/** Calls an API with a credential; throws when it is refused. */
const callerOf =
  (base: string, token: string) =>
  async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${base}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** Publishes new posts, one after the other, until it is over; how many. */
async function publishBeside(call: ReturnType<typeof callerOf>, over: AbortSignal): Promise<number> {
  let published = 0;
  for (; !over.aborted; published += 1) {
    const { id } = await call<{ id: string }>('POST', 'blogs', { title: `Beside ${published}`, content: '<p>Tea</p>' });
    await call('POST', `blogs/${id}/publish`);
    await pause(BESIDE_EVERY_MS);
  }
  return published;
}
