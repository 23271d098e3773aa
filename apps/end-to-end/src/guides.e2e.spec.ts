import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, kafkaAvailability, startKafka, TOOLS, type RunningKafka } from '@blog-content/local-infrastructure';
import { buildPackages, whenProjectIsKnown } from '@blog-content/local-services';
import { eventually } from '@blog-content/testing';
import { exampleFile, followGuide, readGuide } from './guide.ts';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const root = join(import.meta.dirname, '../../..');
const SITE_URL = 'https://example.com';

const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const itWithKafka = kafkaFound.available || process.env['CI'] ? it : it.skip;
/** In CI a program that is missing fails its tests. */
const itWithGoAndPhp = (TOOLS.go.check() && TOOLS.php.check()) || process.env['CI'] ? it : it.skip;

let folder: string;
let kafka: RunningKafka | undefined;
let stack: Stack;
let project: TestProject;
/** Where a host begins its builds. */
let buildHook: Server;
/** Where the receivers of a guide listen, in place of the ports that it shows. */
let ports: Map<string, number>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-guides-'));
  if (kafkaFound.available) kafka = await startKafka({ dataDir: join(folder, 'kafka'), disposable: true });
  stack = await startStack({
    packagesFolder: await buildPackages(),
    ...(kafka && { kafkaBrokers: kafka.brokers }),
  });
  project = await newProject();
  for (const slug of ['salt', 'pepper', 'oil']) {
    const draft = { title: `About ${slug}`, slug, content: '<p>Text.</p>' };
    const { id } = await stack.owner.post<{ id: string }>(`projects/${project.id}/blogs`, draft);
    await stack.owner.post(`projects/${project.id}/blogs/${id}/publish`);
  }
  await eventually(async () => {
    const headers = { authorization: `Bearer ${project.publicKey}` };
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs`, { headers });
    expect(await answer.json()).toMatchObject({ total: 3 });
  });
  ports = new Map();
  for (const shown of ['8080', '8081', '8082', '8083']) ports.set(shown, await freePort());
  buildHook = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => buildHook.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  buildHook?.close();
  await stack?.[Symbol.asyncDispose]();
  await kafka?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** One that the dispatcher knows, too. */
async function newProject(): Promise<TestProject> {
  const made = await createProject(stack.owner, { siteUrl: SITE_URL });
  await whenProjectIsKnown(() => stack.owner.get(`projects/${made.id}/webhooks`));
  return made;
}

/** Follows a guide as its reader does, and returns the output, which must contain everything that the guide shows. */
async function follow(
  name: string,
  values: Readonly<Record<string, string>> = {},
  adapt: (script: string) => string = (script) => script,
): Promise<string> {
  const read = await readGuide(name);
  const guide = { ...read, script: adapt(read.script) };
  const place = await mkdtemp(join(folder, `${name}-`));
  for (const file of await readdir(join(root, 'examples'))) {
    if (/^receiver\./.test(file)) await cp(join(root, 'examples', file), join(place, file));
  }
  const printed = await followGuide(guide, place, ports, {
    ORIGIN: stack.local.origin,
    EMAIL: stack.settings.ownerEmail,
    PASSWORD: stack.settings.ownerPassword,
    PROJECT: project.id,
    BLOG_PASSWORD: stack.settings.ownerPassword,
    BLOG_PROJECT: project.id,
    ...values,
  });
  for (const line of guide.printed) expect(printed).toContain(line);
  return printed;
}

describe('a guide, followed literally', () => {
  it('fetches posts, and has the site built again when they change', async () => {
    const hook = `http://127.0.0.1:${(buildHook.address() as AddressInfo).port}/build`;
    const values = { BLOG_API: stack.local.origin, BLOG_KEY: project.publicKey, SITE_URL, BUILD_HOOK: hook };
    const printed = await follow('fetch-posts', values);
    expect(printed).toContain('/blog/salt/ About salt 12');
    expect(printed).toContain('null\n');
    // All posts are built once, by the first of two incremental builds.
    expect(printed.match(/^build \/blog\/salt\/$/gm)).toHaveLength(1);
    expect(printed.match(/^\d+ posts$/gm)).toHaveLength(2);
  });

  it('shows files of examples as they are', async () => {
    const { files } = await readGuide('fetch-posts');
    const shown = [...files].filter(([path]) => path.startsWith('examples/'));
    expect(shown).toHaveLength(2);
    for (const [path, code] of shown) expect(code).toBe(await exampleFile(path));
  });

  itWithGoAndPhp('receives webhooks in Node, Python, Go and PHP', async () => {
    // A project of its own: its receivers end with the guide, and others' publishes would fail there.
    const { id } = await newProject();
    const printed = await follow('receive-webhooks', { PROJECT: id });
    expect(printed.match(/"success":true/g)).toHaveLength(4);
  });

  it('writes with an agent, over HTTP and by its tools', async () => {
    const { key } = await stack.owner.post<{ key: string }>(`projects/${project.id}/agent-keys`, { name: 'Guide' });
    await follow('write-with-an-agent', { AGENT_KEY: key });
  });

  it('moves here with what other programs have written', async () => {
    await follow('move-here');
  });

  it('moves away with everything', async () => {
    await follow('move-away');
  });

  itWithKafka('consumes blog.lifecycle in Python', async () => {
    // A reader stops the consumer.
    const stopped = (script: string) =>
      script.replace('venv/bin/python consume.py', 'timeout 60 venv/bin/python consume.py | head -2 || true');
    const printed = await follow('consume-lifecycle', { BROKERS: kafka?.brokers.join(',') ?? '' }, stopped);
    expect(printed).toContain('blog.published');
  });
});
