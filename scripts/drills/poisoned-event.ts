import { setTimeout as sleep } from 'node:timers/promises';
import { whenProjectIsKnown } from '@blog-content/local-services';
import type { Drill } from './parts/drill.ts';
import { initCluster, serverFolder, startServer } from './parts/postgres-server.ts';
import { startProduct } from './parts/product.ts';

const PROJECTS = 12;
const WITHIN_MS = 60_000;
const COMMAND = 'apps/public-read-service/src/event-log.ts';
const DATABASE = 'public_read_service';
/** What a bug would do: the read model refuses one post, and takes all others. */
const POISON = `
  CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN IF NEW.slug = 'poison' THEN RAISE EXCEPTION 'a bug'; END IF; RETURN NEW; END $$;
  CREATE TRIGGER refuse_poison BEFORE INSERT OR UPDATE ON published_blog FOR EACH ROW EXECUTE FUNCTION refuse_poison()`;

interface Parked {
  readonly key: string;
  readonly event_id: string;
  readonly project_id: string | null;
  readonly blog_id: string | null;
  readonly error: string;
  readonly waiting: number;
}

/** A project with its public key. */
interface Site {
  readonly id: string;
  readonly key: string;
}

export const drill: Drill = async (context) => {
  const { folder, resources, say, check } = context;
  const cluster = await serverFolder(folder, 'cluster');
  await initCluster(cluster);
  const server = await startServer(cluster, { resources });
  const product = await startProduct(context, server.url);
  const { local, owner } = product;
  const sites: Site[] = [];
  while (sites.length < PROJECTS) {
    const { id } = await owner.post<{ id: string }>('projects', { name: `Site ${sites.length}` });
    const { public_key: key } = await whenProjectIsKnown(() =>
      owner.post<{ public_key: string }>(`projects/${id}/public-key`),
    );
    sites.push({ id, key });
  }
  const [poisonedSite] = sites as [Site, ...Site[]];
  say(`Services, Kafka and ${PROJECTS} projects run`);

  const write = async ({ id }: Site, slug: string): Promise<string> =>
    (await owner.post<{ id: string }>(`projects/${id}/blogs`, { title: slug, slug, content: '<p>x</p>' })).id;
  const publish = ({ id }: Site, blogId: string) => owner.post(`projects/${id}/blogs/${blogId}/publish`);
  const titleOf = async ({ key }: Site, slug: string): Promise<string | null> => {
    const answer = await fetch(`${local.origin}/blog/api/v1/public/blogs/${slug}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await answer.json()) as { title?: string };
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new Error(`The public API returned ${answer.status}.`);
    return body.title ?? null;
  };
  const until = async (what: string, holds: () => Promise<boolean>) => {
    for (const untilMs = Date.now() + WITHIN_MS; Date.now() < untilMs; await sleep(50)) if (await holds()) return;
    check(what, false);
  };
  const eventLog = (...args: string[]) => product.run(COMMAND, ...args);
  const parked = async (): Promise<Parked[]> =>
    (await eventLog('parked', '--json')).stdout
      .split('\n')
      .flatMap((line) => (line ? [JSON.parse(line) as Parked] : []));

  await server.query(DATABASE, POISON);
  const poisoned = await write(poisonedSite, 'poison');
  await publish(poisonedSite, poisoned);
  const startedAt = performance.now();
  for (const site of sites) await publish(site, await write(site, 'fine'));
  await until('all others are public', async () =>
    (await Promise.all(sites.map((site) => titleOf(site, 'fine')))).every((title) => title !== null),
  );
  const took = ((performance.now() - startedAt) / 1_000).toFixed(1);
  check(`${PROJECTS} of ${PROJECTS} projects have their next post public, ${took} s after the poisoned one`, true);

  await until('one key is parked', async () => (await parked()).length === 1);
  await owner.patch(`projects/${poisonedSite.id}/blogs/${poisoned}`, { title: 'Mended' });
  await publish(poisonedSite, poisoned);
  await until('the next event of the post waits behind it', async () => (await parked())[0]?.waiting === 1);
  const [first] = await parked();
  const isNamed = first?.project_id === poisonedSite.id && first.blog_id === poisoned && first.error.includes('a bug');
  check('“parked” names the project, the post and the error, and the event that waits', isNamed);

  const dry = await eventLog('retry', poisoned);
  check('“retry” without --yes changes nothing and says so', dry.code === 0 && dry.stderr.includes('--yes'));
  await server.query(DATABASE, 'DROP TRIGGER refuse_poison ON published_blog; DROP FUNCTION refuse_poison');
  const retried = await eventLog('retry', poisoned, '--yes');
  check(`the bug is fixed: “retry --yes” succeeds (exit code ${retried.code})`, retried.code === 0);
  await until('the post is public', async () => (await titleOf(poisonedSite, 'poison')) === 'Mended');
  await until('nothing is parked', async () => (await parked()).length === 0);
  check('both events of the post were applied in order, and nothing is parked', true);

  await server.query(DATABASE, POISON);
  await owner.patch(`projects/${poisonedSite.id}/blogs/${poisoned}`, { title: 'Lost' });
  await publish(poisonedSite, poisoned);
  await until('one key is parked again', async () => (await parked()).length === 1);
  const [next] = await parked();
  const skipped = await eventLog('skip', next?.event_id ?? '', '--yes');
  const isShown = skipped.stdout.includes('Lost');
  check('“skip --yes” prints the event for the last time, and deletes it', skipped.code === 0 && isShown);
  await server.query(DATABASE, 'DROP TRIGGER refuse_poison ON published_blog; DROP FUNCTION refuse_poison');
  await publish(poisonedSite, poisoned);
  await until('the next publish is public', async () => (await titleOf(poisonedSite, 'poison')) === 'Lost');
  check('the next publish of the post is public', (await parked()).length === 0);
};
