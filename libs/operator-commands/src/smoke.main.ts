#!/usr/bin/env node
// `npm run smoke`: one publish through a running deployment, from the owner's call to the signed delivery.
import { forEachService, type Publish, type ServiceName } from '@blog-content/payload-schemas';
import { ConfigError, EXIT_CONFIG, loadConfig, secret } from '@blog-content/service-runtime';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { z } from 'zod';
import { call, describeAnswer, until, type Answer } from './smoke/calls.ts';
import { smokeLoad } from './smoke/load.ts';

const usage = `Usage: npm run smoke -- options

Tests a running deployment in a new project. Uploads an image, publishes a post, and waits for the public API to serve it
and for a receiver to accept its signed webhook. With --load, keeps reading and publishing, for example during a rolling
restart. Any failed request or delivery fails the test.

Services:
  --origin <url>                one URL for all services, or
  --content-service <url> --public-read-service <url> --webhook-dispatcher <url>

Sign-in:
  --owner-file <file>           env file with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or
  --email <email>               with --password <password>, OWNER_PASSWORD or OWNER_PASSWORD_FILE

Receiver:
  --receiver <url>              webhook URL, reachable from the dispatcher
  --secret <text>               signing secret of the receiver

  --load <seconds>              duration of the load: 50 reads and 2 publishes per second (default 0)
  --timeout <seconds>           time limit of each wait (default 60)
  --help                        show help`;

const environment = z.object({ OWNER_PASSWORD: secret(z.string()).optional() });

interface Settings {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly email: string;
  readonly password: string;
  readonly receiver: string;
  readonly secret: string;
  readonly timeoutMs: number;
  /** How long there is load after the one publish, in milliseconds; 0 for none. */
  readonly loadMs: number;
}

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      origin: text,
      ...forEachService(() => text),
      'owner-file': text,
      email: text,
      password: text,
      receiver: text,
      secret: text,
      load: { type: 'string', default: '0' },
      timeout: { type: 'string', default: '60' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const ownerFile = values['owner-file'];
  const owner = ownerFile === undefined ? {} : parseEnv(readFileSync(ownerFile, 'utf8'));
  const { OWNER_PASSWORD } = loadConfig(environment, process.env, 'smoke');
  const given = (value: string | undefined, option: string): string => {
    if (!value) throw new TypeError(`${option} is missing.`);
    return value;
  };
  const address = (service: ServiceName) =>
    new URL(given(values[service] ?? values.origin, `--origin or --${service}`)).origin;
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 3_600)) throw new TypeError('--timeout must be a number of seconds up to 3600.');
  const loadSeconds = Number(values.load);
  // An owner's session lasts half an hour by default.
  if (!(loadSeconds >= 0 && loadSeconds <= 1_800))
    throw new TypeError('--load must be a number of seconds up to 1800.');
  return {
    addresses: forEachService(address),
    email: given(values.email ?? owner['BOOTSTRAP_OWNER_EMAIL'], '--email or --owner-file'),
    password: given(
      values.password ?? OWNER_PASSWORD ?? owner['BOOTSTRAP_OWNER_PASSWORD'],
      '--password or --owner-file',
    ),
    receiver: given(values.receiver, '--receiver'),
    secret: given(values.secret, '--secret'),
    timeoutMs: seconds * 1_000,
    loadMs: loadSeconds * 1_000,
  };
}

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQaHAAAAGkAOGt06eBAAAAAElFTkSuQmCC';

const startedAt = performance.now();
let steppedAt = startedAt;
/** Prints a step that is done, with the time since the step before it. */
function done(step: string): void {
  const now = performance.now();
  console.log(`ok  ${step}  (${Math.round(now - steppedAt)} ms)`);
  steppedAt = now;
}

async function smoke({ addresses, email, password, receiver, secret, timeoutMs, loadMs }: Settings): Promise<void> {
  const owner = (service: ServiceName, path: string) => `${addresses[service]}/blog/api/v1/owner/${path}`;
  const created = ({ status }: Answer) => status === 201;
  const never = () => false;
  // A service learns of a new project from its topic, a moment after the project was made.
  const unknownProject = ({ status }: Answer) => status === 404;
  const create = async (
    what: string,
    url: string,
    token: string | null,
    body: object,
    isSoon = never as typeof created,
  ) => (await until(what, timeoutMs, () => call(url, token, 'POST', body), created, isSoon)) as Record<string, string>;

  const session = await create('Signing in', owner('content-service', 'session'), null, { email, password });
  const token = session['token'] ?? '';
  done(`signed in as ${email}`);

  const name = `Smoke test ${new Date().toISOString()}`;
  const site = { name, site_url: 'https://smoke.example.com' };
  const project = await create('Creating a project', owner('content-service', 'projects'), token, site);
  const inProject = (service: ServiceName, path: string) => owner(service, `projects/${project['id']}/${path}`);
  done(`created project ${project['id']}`);

  const keyUrl = inProject('public-read-service', 'public-key');
  const key = await create('Generating the public key', keyUrl, token, {}, unknownProject);
  done('generated the public key');

  const webhooksUrl = inProject('webhook-dispatcher', 'webhooks');
  const webhook = { name: 'Smoke test', url: receiver, secret };
  await create('Adding the webhook', webhooksUrl, token, webhook, unknownProject);
  done(`added a webhook to ${receiver}`);

  const imagesUrl = inProject('content-service', 'images?alt=Smoke');
  const image = await create('Uploading an image', imagesUrl, token, Buffer.from(PIXEL, 'base64'));
  const file = (image['url'] ?? '').split('/').at(-1) ?? '';
  const imageUrl = `${addresses['public-read-service']}/images/${project['id']}/${file}`;
  const served = await call(imageUrl, null);
  if (served.status !== 200) throw new Error(`Reading the image: ${imageUrl} returned ${describeAnswer(served)}`);
  done(`uploaded and served an image: ${image['url']}`);

  const slug = `smoke-${randomUUID()}`;
  const draft = { title: 'Smoke test', slug, content: '<p>Where there is smoke…</p>' };
  const blog = await create('Creating a post', inProject('content-service', 'blogs'), token, draft);
  done(`created post ${slug}`);

  const publishUrl = inProject('content-service', `blogs/${blog['id']}/publish`);
  const accepted = await call(publishUrl, token, 'POST');
  if (accepted.status !== 202) throw new Error(`Publishing: got ${describeAnswer(accepted)}`);
  const publishId = (accepted.body as Publish).id;
  done(`published it: ${publishId}`);

  const publicUrl = `${addresses['public-read-service']}/blog/api/v1/public/blogs/${slug}`;
  await until(
    'Reading from the public API',
    timeoutMs,
    () => call(publicUrl, key['public_key'] ?? ''),
    ({ status }) => status === 200,
    ({ status }) => status === 404,
  );
  done('the public API serves it');

  const publish = (await until(
    'Waiting for the delivery',
    timeoutMs,
    () => call(inProject('content-service', `publishes/${publishId}`), token),
    ({ status, body }) => status === 200 && (body as Publish).status !== 'pending',
    ({ status }) => status === 200,
  )) as Publish;
  const [delivery] = publish.deliveries;
  if (publish.status !== 'succeeded' || publish.deliveries.length !== 1 || delivery?.status !== 'succeeded') {
    throw new Error(`The webhook was not delivered: ${JSON.stringify(publish, null, 2)}`);
  }
  done(
    `the receiver accepted delivery ${delivery.delivery_id}: HTTP ${delivery.status_code}, attempt ${delivery.attempts}`,
  );

  if (loadMs === 0) return;
  const blogsUrl = inProject('content-service', 'blogs');
  await smokeLoad({
    durationMs: loadMs,
    read: () => call(publicUrl, key['public_key'] ?? ''),
    write: (body) => call(blogsUrl, token, 'POST', body),
    publish: (id) => call(`${blogsUrl}/${id}/publish`, token, 'POST'),
    ended: async (id) =>
      (await until(
        'Waiting for a delivery under load',
        timeoutMs,
        () => call(inProject('content-service', `publishes/${id}`), token),
        ({ status, body }) => status === 200 && (body as Publish).status !== 'pending',
        ({ status }) => status === 200,
      )) as Publish,
  });
  done(`${loadMs / 1_000} s of load without failures`);
}

let settings: Settings;
try {
  settings = readSettings();
} catch (error) {
  const isConfig = error instanceof ConfigError;
  console.error(isConfig ? error.message : `${(error as Error).message}\n\n${usage}`);
  process.exit(isConfig ? EXIT_CONFIG : 2);
}
try {
  await smoke(settings);
  console.log(`Passed in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
} catch (error) {
  console.error(`FAILED after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s. ${(error as Error).message}`);
  process.exitCode = 1;
}
