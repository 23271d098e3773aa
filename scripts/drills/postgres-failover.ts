import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './parts/drill.ts';
import { openForward } from './parts/forward.ts';
import { initCluster, runTool, serverFolder, startServer } from './parts/postgres-server.ts';
import { heldBy, isSame, startProduct } from './parts/product.ts';

const BEFORE = 15;
const LOST = 12;
const CAUGHT_UP = `SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()`;

interface Finding {
  readonly blog_id: string | null;
  readonly differences: readonly { readonly where: string; readonly kind: string }[];
}

export const drill: Drill = async (context) => {
  const { folder, resources, say, check } = context;
  const cluster = await serverFolder(folder, 'primary');
  await initCluster(cluster);
  const primary = await startServer(cluster, { resources });
  // The services' address of the server in charge, and the standby's cable to the primary.
  const address = await openForward(resources, primary.port);
  const cable = await openForward(resources, primary.port);
  const copy = await serverFolder(folder, 'standby');
  const from = `postgresql://postgres@127.0.0.1:${cable.port}/postgres`;
  await runTool('pg_basebackup', '-d', from, '-D', copy, '-X', 'stream', '-c', 'fast', '-R');
  const standby = await startServer(copy, { resources, standby: true });
  const product = await startProduct(
    context,
    (database) => `postgresql://postgres@127.0.0.1:${address.port}/${database}`,
  );
  const { received } = product;
  say('Services, Kafka and a receiver run; a standby replicates asynchronously');

  const known: string[] = [];
  for (let at = 0; at < BEFORE; at++) known.push(await product.publish(`Post ${at}`));
  for (;;) {
    if ((await primary.query('postgres', CAUGHT_UP)) === '1') break;
    await sleep(50);
  }
  cable.leadTo(null);
  say(`${known.length} posts published and replicated; the standby is cut off`);

  const lost: string[] = [];
  for (let at = 0; at < LOST; at++) lost.push(await product.publish(`Lost ${at}`));
  const [edited, unpublished] = known as [string, string, ...string[]];
  await product.call('PATCH', `/${edited}`, { title: 'Lost title' });
  await product.call('POST', `/${edited}/publish`);
  await product.untilDelivered(edited);
  await product.call('POST', `/${unpublished}/unpublish`);
  while (heldBy(received).has(unpublished)) await sleep(50);
  say(`${LOST} more published, one published again, one unpublished. The primary is killed, the standby promoted`);
  await primary.kill();
  await standby.query('postgres', 'SELECT pg_promote()');
  address.leadTo(standby.port);
  for (const service of Object.values(product.local.services)) {
    await service.kill('SIGKILL');
    await service.start();
  }

  const rebuilt = await product.run('apps/public-read-service/src/rebuild.ts');
  check(
    'the rebuild succeeds and asks for the check',
    rebuilt.code === 0 && rebuilt.stderr.includes('check-consistency'),
  );
  const zombies = (await product.shown()).size;
  const gone = await Promise.all(lost.map((id) => product.call('GET', `/${id}`)));
  say(`${zombies} posts are public, of which the owner gets 404 for ${gone.filter((status) => status === 404).length}`);

  const found = await product.run('apps/content-service/src/check-consistency.ts', '--json');
  const findings = found.stdout.split('\n').flatMap((line): Finding[] => {
    const one = line === '' ? null : (JSON.parse(line) as Finding | { summary: object });
    return one !== null && 'differences' in one ? [one] : [];
  });
  const unowned = findings.filter(({ differences }) =>
    differences.some(({ where, kind }) => where === 'read_model' && kind === 'unowned'),
  );
  check(
    `check-consistency names all ${LOST} that are public and unowned (${unowned.length}), and ${findings.length - unowned.length} more`,
    found.code === 1 && lost.every((id) => unowned.some(({ blog_id }) => blog_id === id)) && unowned.length === LOST,
  );
  say(found.stderr.trim());
  const sent = received.length;
  const repaired = await product.run('apps/content-service/src/check-consistency.ts', '--repair', '--tell-receivers');
  say(repaired.stderr.trim());
  check(`the repair repairs everything (exit code ${repaired.code})`, repaired.code === 0);
  const again = await product.run('apps/content-service/src/check-consistency.ts');
  check(`check-consistency finds nothing (exit code ${again.code})`, again.code === 0);

  const expected = new Map(known.map((id, at) => [id, `Post ${at}`]));
  check(
    `readers have the ${known.length} posts of content-service, and no other`,
    isSame(await product.shown(), expected),
  );
  for (const untilMs = Date.now() + 30_000; !isSame(heldBy(received), expected) && Date.now() < untilMs;)
    await sleep(50);
  check(`the receiver has the same, after ${received.length - sent} more requests`, isSame(heldBy(received), expected));

  for (const id of [edited, unpublished]) {
    await product.call('PATCH', `/${id}`, { title: 'After all' });
    await product.call('POST', `/${id}/publish`);
    await product.untilDelivered(id);
    expected.set(id, 'After all');
  }
  check(
    'later publishes are taken by readers and the receiver',
    isSame(await product.shown(), expected) && isSame(heldBy(received), expected),
  );
};
