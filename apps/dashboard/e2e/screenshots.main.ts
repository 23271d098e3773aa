import { whenProjectIsKnown } from '@blog-content/local-services';
import { eventually, startReceiver } from '@blog-content/testing';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { openAs, settled } from './actions.ts';
import { DOCS_PAGES, PAGES } from './pages.ts';
import { openBrowser, startDashboard, type RunningDashboard } from './running-dashboard.ts';

const usage = `Usage: npm run screenshots [-- --all <folder>]

Starts the product with a filled project and takes the pictures that the README and the guides show, for
docs/screenshots. Takes about two minutes and needs Chromium.

  --all <folder>   take every page instead, in light and dark, 1280 and 390 pixels wide, into a folder
  --help           show this`;
const [option, all] = process.argv.slice(2);
if (option !== undefined && (option !== '--all' || all === undefined)) {
  console.error(usage);
  process.exit(2);
}

const folder = all ?? join(import.meta.dirname, '../../../docs/screenshots');

/** The pages of docs/screenshots: wide, and in both schemes where the README switches between them. */
const KEPT: Readonly<Record<string, readonly ('light' | 'dark')[]>> = {
  home: ['light', 'dark'],
  posts: ['light'],
  'posts-one': ['light', 'dark'],
  calendar: ['light'],
  'publishing-one': ['light'],
  'webhooks-one': ['light'],
  images: ['light'],
  'docs-api-blogs': ['light'],
};

const POSTS = [
  ['When to sow carrots', 'Carrots want loose soil and cool nights. Sow them thinly, from March to July.'],
  ['A bed that needs no digging', 'Cardboard, compost and patience: what grows under it does the work.'],
  ['Tomatoes on a balcony', 'Six hours of sun, a deep pot and water in the morning are enough.'],
  ['Which neighbors beans like', 'Beans feed the soil; see also <a href="[INTERNAL:when-to-sow-carrots]">carrots</a>.'],
  ['Keeping slugs away', 'Copper, sharp sand and an evening walk with a lamp.'],
  ['The garden in October', 'Leaves are not waste. Heap them up, and wait a year.'],
] as const;

const HOUR_MS = 3_600_000;
const TOPICS = ['What to prune in February', 'A hedge that feeds birds', 'Watering with less'];

/** A picture that looks like one when it is small. */
async function uploadPicture(
  { projectId, local, administrator: { api } }: RunningDashboard,
  name: string,
  hue: number,
) {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640">
    <rect width="960" height="640" fill="hsl(${hue} 45% 82%)"/><circle cx="700" cy="170" r="90" fill="hsl(${hue} 60% 94%)"/>
    <path d="M0 640V420Q240 300 480 430T960 380V640Z" fill="hsl(${hue} 40% 55%)"/>
    <path d="M0 640V540Q300 440 560 550T960 500V640Z" fill="hsl(${hue} 45% 38%)"/></svg>`;
  const answer = await fetch(
    `${local.origin}/blog/api/v1/owner/projects/${projectId}/images?name=${name}.jpg&alt=${name}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(await sharp(Buffer.from(picture)).jpeg().toBuffer()),
    },
  );
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url;
}

/** The slug of the post that a receiver got; a build has none. */
const slugIn = (body: Buffer): string => /"slug":"([^"]+)"/.exec(body.toString())?.[1] ?? '';

/**
 * A project in use: posts of several states, receivers that work and fail, images, schedules, topics, and reads by day.
 */
async function fill(dashboard: RunningDashboard) {
  const {
    projectId,
    administrator: { api },
    receiver,
    local,
  } = dashboard;
  const project = `projects/${projectId}`;
  const failing = await startReceiver({ respond: () => ({ status: 500, body: { error: 'database is away' } }) });
  receiver.respondWith(({ body }) => ({ body: { ok: true, url: `https://garden.example/blog/${slugIn(body)}/` } }));
  await api.post(`${project}/webhooks`, { name: 'Newsletter', url: failing.url });
  await whenProjectIsKnown(() => api.post(`${project}/public-key`));
  await api.post(`${project}/agent-keys`, { name: 'Writing agent' });
  const pictures: string[] = [];
  for (const [name, hue] of Object.entries({ carrots: 25, compost: 80, pond: 200, roses: 340 })) {
    pictures.push(await uploadPicture(dashboard, name, hue));
  }
  const blogs: string[] = [];
  for (const [index, [title, text]] of POSTS.entries()) {
    const content = `<h2>What matters</h2><p>${text}</p><ul><li>Begin small.</li><li>Write down what you did.</li></ul>`;
    const excerpt = text.replace(/<[^>]+>/g, '');
    const written = { title, content, excerpt, keyword: 'garden', featured_image_url: pictures[index] ?? null };
    blogs.push((await api.post<{ id: string }>(`${project}/blogs`, written)).id);
  }
  let publishId = '';
  for (const id of blogs.slice(0, 4)) {
    publishId = (await api.post<{ id: string }>(`${project}/blogs/${id}/publish`)).id;
  }
  for (const [days, id] of [
    [1, blogs[4]!],
    [3, blogs[5]!],
  ] as const) {
    const at = new Date(Date.now() + days * 24 * HOUR_MS).toISOString();
    await api.put(`${project}/blogs/${id}/schedule`, { publish_at: at });
  }
  await api.put(`${project}/deploy-hook`, { url: `${new URL(receiver.url).origin}/build` });
  await api.put(`${project}/autopilot`, {
    enabled: true,
    time_zone: 'Europe/Berlin',
    days: ['mon', 'thu'],
    times: ['09:30'],
  });
  await api.post(`${project}/autopilot/topics`, { topics: TOPICS.map((topic) => ({ topic })) });
  const { public_key: key } = await api.get<{ public_key: string }>(`${project}/public-key`);
  for (let read = 0; read < 40; read += 1) {
    await fetch(`${local.origin}/blog/api/v1/public/blogs`, { headers: { authorization: `Bearer ${key}` } });
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
  const schemes = all === undefined ? KEPT[name] : (['light', 'dark'] as const);
  if (schemes === undefined) continue;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(path.replaceAll(/\$\w+/g, (id) => ids[id]!));
  for (const width of all === undefined ? [1280] : [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
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
