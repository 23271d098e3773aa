// `npm run smoke`: one publish through a running deployment, from the owner's call to the signed delivery.
import type { Publish } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';

const usage = `Usage: npm run smoke -- options

Publishes one blog in a new project of a running deployment, and waits until the public API serves it and a receiver
has accepted its signed webhook.

Where the services are:
  --origin <url>                one origin for all, or
  --content-service <url> --public-read-service <url> --webhook-dispatcher <url>

Who signs in:
  --owner-file <file>           an environment file with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or
  --email <address>             with --password <password> or the variable OWNER_PASSWORD

What receives:
  --receiver <url>              the webhook's URL as the dispatcher reaches it
  --secret <text>               the secret that the receiver checks signatures with

  --timeout <seconds>           for each wait (default 60)
  --help                        show this`;

type Service = 'content-service' | 'public-read-service' | 'webhook-dispatcher';
interface Settings {
  readonly addresses: Readonly<Record<Service, string>>;
  readonly email: string;
  readonly password: string;
  readonly receiver: string;
  readonly secret: string;
  readonly timeoutMs: number;
}
interface Answer {
  /** The HTTP status, or `NO_ANSWER`. */
  readonly status: number;
  readonly body: unknown;
}

const NO_ANSWER = 0;
const CALL_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      origin: text,
      'content-service': text,
      'public-read-service': text,
      'webhook-dispatcher': text,
      'owner-file': text,
      email: text,
      password: text,
      receiver: text,
      secret: text,
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
  const given = (value: string | undefined, option: string): string => {
    if (!value) throw new TypeError(`${option} is missing.`);
    return value;
  };
  const address = (service: Service) =>
    new URL(given(values[service] ?? values.origin, `--origin or --${service}`)).origin;
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 3_600)) throw new TypeError('--timeout must be a number of seconds up to 3600.');
  return {
    addresses: {
      'content-service': address('content-service'),
      'public-read-service': address('public-read-service'),
      'webhook-dispatcher': address('webhook-dispatcher'),
    },
    email: given(values.email ?? owner['BOOTSTRAP_OWNER_EMAIL'], '--email or --owner-file'),
    password: given(
      values.password ?? process.env['OWNER_PASSWORD'] ?? owner['BOOTSTRAP_OWNER_PASSWORD'],
      '--password or --owner-file',
    ),
    receiver: given(values.receiver, '--receiver'),
    secret: given(values.secret, '--secret'),
    timeoutMs: seconds * 1_000,
  };
}

const startedAt = performance.now();
let steppedAt = startedAt;
/** Prints a step that is done, with the time since the step before it. */
function done(step: string): void {
  const now = performance.now();
  console.log(`ok  ${step}  (${Math.round(now - steppedAt)} ms)`);
  steppedAt = now;
}

async function call(url: string, bearer: string | null, method = 'GET', body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: NO_ANSWER, body: cause instanceof Error ? cause.message : message };
  }
  const answer = await response.text();
  try {
    return { status: response.status, body: JSON.parse(answer) };
  } catch {
    return { status: response.status, body: answer };
  }
}

const tell = ({ status, body }: Answer) => `${status === NO_ANSWER ? 'no answer' : status} ${JSON.stringify(body)}`;

/** Asks until `isReady`; throws when the time is up, or at an answer neither `isSoon` nor of a service that is starting. */
async function until(
  what: string,
  timeoutMs: number,
  ask: () => Promise<Answer>,
  isReady: (answer: Answer) => boolean,
  isSoon: (answer: Answer) => boolean,
): Promise<unknown> {
  const deadline = performance.now() + timeoutMs;
  let wasTold = false;
  for (;;) {
    const answer = await ask();
    if (isReady(answer)) return answer.body;
    const isStarting = answer.status === NO_ANSWER || answer.status >= 500;
    if (!isStarting && !isSoon(answer)) throw new Error(`${what}: the answer was ${tell(answer)}`);
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${timeoutMs / 1_000} s; the last answer was ${tell(answer)}`);
    }
    if (isStarting && !wasTold) {
      console.log(`..  ${what}: ${tell(answer)}; trying again for ${timeoutMs / 1_000} s`);
      wasTold = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function smoke({ addresses, email, password, receiver, secret, timeoutMs }: Settings): Promise<void> {
  const owner = (service: Service, path: string) => `${addresses[service]}/blog/api/v1/owner/${path}`;
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
  const inProject = (service: Service, path: string) => owner(service, `projects/${project['id']}/${path}`);
  done(`created project ${project['id']}`);

  const keyUrl = inProject('public-read-service', 'public-key');
  const key = await create('Generating the public key', keyUrl, token, {}, unknownProject);
  done('generated its public key');

  const webhooksUrl = inProject('webhook-dispatcher', 'webhooks');
  const webhook = { name: 'Smoke test', url: receiver, secret };
  await create('Adding the webhook', webhooksUrl, token, webhook, unknownProject);
  done(`added a webhook to ${receiver}`);

  const slug = `smoke-${randomUUID()}`;
  const draft = { title: 'Smoke test', slug, content: '<p>Where there is smoke …</p>' };
  const blog = await create('Writing a blog', inProject('content-service', 'blogs'), token, draft);
  done(`wrote blog ${slug}`);

  const publishUrl = inProject('content-service', `blogs/${blog['id']}/publish`);
  const accepted = await call(publishUrl, token, 'POST');
  if (accepted.status !== 202) throw new Error(`Publishing: the answer was ${tell(accepted)}`);
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
}

let settings: Settings;
try {
  settings = readSettings();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exit(2);
}
try {
  await smoke(settings);
  console.log(`Passed in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
} catch (error) {
  console.error(`FAILED after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s. ${(error as Error).message}`);
  process.exitCode = 1;
}
