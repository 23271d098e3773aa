import { whenProjectIsKnown } from '@blog-content/local-services';
import { eventually, startReceiver } from '@blog-content/testing';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { openAs, settled } from './actions.ts';
import { DOCS_PAGES, PAGES } from './pages.ts';
import { openBrowser, startDashboard, type RunningDashboard } from './running-dashboard.ts';

const usage = `Usage: npm run screenshots

Starts the product with a project in use, and writes docs/screenshots: each page of the dashboard, in light and dark, 1280
and 360 pixels wide. Takes about two minutes and needs Chromium.

  --help   show this`;
if (process.argv.length > 2) {
  console.error(usage);
  process.exit(2);
}

const folder = join(import.meta.dirname, '../../../docs/screenshots');

const POSTS = [
  ['When to sow carrots', 'Carrots want loose soil and cool nights. Sow them thinly, from March to July.'],
  ['A bed that needs no digging', 'Cardboard, compost and patience: what grows under it does the work.'],
  ['Tomatoes on a balcony', 'Six hours of sun, a deep pot and water in the morning are enough.'],
  [
    'Which neighbours beans like',
    'Beans feed the soil; see also <a href="[INTERNAL:when-to-sow-carrots]">carrots</a>.',
  ],
  ['Keeping slugs away', 'Copper, sharp sand and an evening walk with a lamp.'],
  ['The garden in October', 'Leaves are not waste. Heap them up, and wait a year.'],
] as const;

/** A project in use: posts of several states, a receiver that works and one that fails, a key and a schedule. */
async function fill({ projectId, administrator: { api }, receiver }: RunningDashboard) {
  const project = `projects/${projectId}`;
  const failing = await startReceiver({ respond: () => ({ status: 500, body: { error: 'database is away' } }) });
  receiver.respondWith(() => ({ body: { ok: true, url: 'https://garden.example/blog/when-to-sow-carrots/' } }));
  await api.post(`${project}/webhooks`, { name: 'Newsletter', url: failing.url });
  await whenProjectIsKnown(() => api.post(`${project}/public-key`));
  await api.post(`${project}/agent-keys`, { name: 'Writing agent' });
  const blogs: string[] = [];
  for (const [title, text] of POSTS) {
    const content = `<h2>What matters</h2><p>${text}</p><ul><li>Begin small.</li><li>Write down what you did.</li></ul>`;
    const excerpt = text.replace(/<[^>]+>/g, '');
    blogs.push((await api.post<{ id: string }>(`${project}/blogs`, { title, content, excerpt, keyword: 'garden' })).id);
  }
  let publishId = '';
  for (const id of blogs.slice(0, 4)) {
    publishId = (await api.post<{ id: string }>(`${project}/blogs/${id}/publish`)).id;
  }
  const { items: webhooks } = await api.get<{ items: { id: string }[] }>(`${project}/webhooks`);
  await eventually(async () => {
    const { status } = await api.get<{ status: string }>(`${project}/publishes/${publishId}`);
    return status !== 'pending';
  });
  const { items: deliveries } = await api.get<{ items: { id: string }[] }>(`${project}/deliveries`);
  return {
    failing,
    ids: {
      $projectId: projectId,
      $blogId: blogs[0]!,
      $publishId: publishId,
      $integrationId: webhooks.at(-1)!.id,
      $deliveryId: deliveries[0]!.id,
    } as Readonly<Record<string, string>>,
  };
}

await using dashboard = await startDashboard();
const { failing, ids } = await fill(dashboard);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { context } = await openBrowser(dashboard);
const page = await openAs(context, dashboard.administrator, '/');
for (const path of [...PAGES, ...DOCS_PAGES]) {
  const name =
    path
      .replace(/^\/projects\/\$projectId\/?/, '')
      .replace(/\/\$(\w+)Id$/, '-one')
      .replaceAll('/', '-')
      .replace(/^-/, '') || 'home';
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(path.replaceAll(/\$\w+/g, (id) => ids[id]!));
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      // What moves when the width changes has come to rest.
      await page.waitForTimeout(400);
      // A page has few colours: with a palette, a picture is a third as large.
      await sharp(await page.screenshot())
        .png({ palette: true })
        .toFile(join(folder, `${name}-${colorScheme}-${width}.png`));
    }
  }
  console.log(name);
}
await failing.close();
