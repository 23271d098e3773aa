import { appendFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './parts/drill.ts';
import { initCluster, runTool, serverFolder, startServer } from './parts/postgres-server.ts';
import { heldBy, startProduct, type Product, type Received } from './parts/product.ts';

const CHECK = 'apps/content-service/src/check-consistency.ts';
const BEFORE = 12;
const DURING_AT_LEAST = 6;
const AFTER = 6;
const DELETED = 3;

export const drill: Drill = async (context) => {
  const { args, folder, resources, say, check } = context;
  const isNewLog = args.includes('new-log');
  const cluster = await serverFolder(folder, 'cluster');
  const archive = await serverFolder(folder, 'archive');
  const backup = await serverFolder(folder, 'backup');
  await initCluster(cluster);
  const settings = {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  };
  const server = await startServer(cluster, { resources, settings });
  const product = await startProduct(context, server.url);
  const { local, received } = product;
  say('Services, Kafka and a receiver run; WAL is archived');

  const posts: string[] = [];
  const publish = async () => void posts.push(await product.publish(`Post ${posts.length}`));
  while (posts.length < BEFORE) await publish();
  say(`${posts.length} posts published`);

  const startedAt = performance.now();
  let isCopied = false;
  const copying = runTool(
    'pg_basebackup',
    '-d',
    server.url('postgres'),
    '-D',
    backup,
    '-X',
    'stream',
    '-c',
    'fast',
  ).then(() => {
    isCopied = true;
    return performance.now() - startedAt;
  });
  const before = posts.length;
  let duringCopy = 0;
  while (!isCopied || posts.length < before + DURING_AT_LEAST) {
    await publish();
    if (!isCopied) duringCopy += 1;
  }
  const copiedMs = await copying;
  say(`pg_basebackup took ${(copiedMs / 1_000).toFixed(1)} s; ${duringCopy} posts were published during it`);

  const moment = await server.query('postgres', 'SELECT clock_timestamp()');
  const kept = new Set(posts);
  say(`The moment: ${moment}, after ${kept.size} posts`);
  await sleep(50);
  for (const id of posts.slice(0, DELETED)) await product.call('DELETE', `/${id}`);
  while (posts.length < kept.size + AFTER) await publish();
  await server.query('postgres', 'SELECT pg_switch_wal()');
  await sleep(1_000);
  say(`By mistake, ${DELETED} posts were deleted, and ${AFTER} more published. PostgreSQL is killed`);
  await server.kill();
  await Promise.all(Object.values(local.services).map((service) => service.stop()));

  await rename(cluster, `${cluster}.lost`);
  await appendFile(
    join(backup, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
  );
  await appendFile(join(backup, 'recovery.signal'), '');
  const recovering = performance.now();
  const recovered = await startServer(backup, { resources, port: server.port });
  say(`Recovered to the moment in ${((performance.now() - recovering) / 1_000).toFixed(1)} s`);

  if (isNewLog) {
    await product.emptyKafka();
    for (const database of ['content_service', 'webhook_dispatcher']) {
      await recovered.query(database, 'UPDATE outbox SET published_at = NULL');
    }
  }
  const sent = received.length;
  await Promise.all(Object.values(local.services).map((service) => service.start()));
  say(
    isNewLog ? 'Kafka is empty, the outboxes resend their day, all services run' : 'All services run on the old Kafka',
  );

  const rebuilt = await product.run('apps/public-read-service/src/rebuild.ts');
  const asks = rebuilt.stderr.includes('check-consistency');
  check('the rebuild succeeds and asks for the check', rebuilt.code === 0 && asks);
  const found = await product.run(CHECK, '--json');
  say(`check-consistency, exit code ${found.code}: ${found.stderr.trim()}`);
  if (!isNewLog) {
    const named = [...posts.slice(0, DELETED), ...posts.slice(kept.size)];
    const isNamed = (id: string) => found.stdout.includes(`"blog_id":"${id}"`);
    check(`it names the ${named.length} posts that changed after the moment`, named.every(isNamed));
    const repaired = await product.run(CHECK, '--repair', '--tell-receivers');
    check(`the repair repairs everything (exit code ${repaired.code})`, repaired.code === 0);
  }
  const checked = await product.run(CHECK);
  check(`check-consistency finds nothing (exit code ${checked.code})`, checked.code === 0);

  const shown = await product.shown();
  check(
    `${kept.size} of ${kept.size} posts from before the moment are public`,
    [...kept].every((id) => shown.has(id)),
  );
  check(`none of the ${AFTER} from after it`, shown.size === kept.size);
  const countOf = (id: string, requests: Product['received']) =>
    requests
      .map((request) => request.json<Received>())
      .filter(({ event, blog_id }) => blog_id === id && event !== 'blog.deleted').length;
  const lost = [...kept].filter((id) => countOf(id, received.slice(0, sent)) === 0).length;
  const untouched = posts.slice(DELETED, kept.size);
  const repeated = untouched.filter((id) => countOf(id, received) !== 1).length;
  check(`no delivery from before the moment is lost (${lost}), none repeated (${repeated})`, lost + repeated === 0);
  if (!isNewLog) {
    const holds = () => heldBy(received);
    for (const untilMs = Date.now() + 30_000; holds().size !== kept.size && Date.now() < untilMs;) await sleep(50);
    const isEqual = [...kept].every((id) => holds().has(id)) && holds().size === kept.size;
    check(`the receiver has the same ${kept.size} posts, after ${received.length - sent} more requests`, isEqual);
  }

  const next = [await product.publish('Next'), await product.publish('Next but one')];
  check(
    'new posts are public, and delivered once',
    next.every((id) => countOf(id, received) === 1),
  );
};
