import {
  freePort,
  kafkaAvailability,
  PortInUseError,
  provideTools,
  startKafka,
  startPostgres,
  TOOLS,
} from '@blog-content/local-infrastructure';
import {
  buildDashboard,
  buildPackages,
  loadLocalSettings,
  signIn,
  startLocalServices,
} from '@blog-content/local-services';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { demoAgentKey } from './demo/agent-key.ts';
import { BROKEN_PATH, startDemoReceiver, type ReceivedWebhook } from './demo/demo-receiver.ts';
import { addBrokenReceiver, DEMO_SITE_URL, publishAndWait, seedDemo } from './demo/seed.ts';
import { writeEnvironmentFile } from './env-file.ts';
import { showExamples } from './examples.ts';
import { lockFolder } from './lock-folder.ts';
import { parseOptions, usage, type Options } from './options.ts';
import { summarise } from './summary.ts';
import { untilServed } from './until-served.ts';

/** A token lasts half an hour. */
const RENEW_TOKEN_MS = 20 * 60_000;
const root = join(import.meta.dirname, '../../..');
const say = (step: string) => console.error(`· ${step}…`);

/** Everything from the databases to the demo, in the order in which it is needed; stopped in the reverse order. */
async function start(options: Options, resources: AsyncDisposableStack): Promise<void> {
  const startedAt = performance.now();
  const receiverPort = options.port + 1;
  const dataFolder = resolve(root, options.data);
  await mkdir(dataFolder, { recursive: true });
  // Before the ports, which another start with this data has, too: its lock says more.
  resources.defer(await lockFolder(dataFolder, `http://127.0.0.1:${options.port}`));
  await freePort(options.port);
  await freePort(receiverPort);

  if (options.reset && process.env['DATABASE_URL']) {
    throw new Error('--reset deletes only the data of npm start. Drop the demo_* databases of DATABASE_URL yourself.');
  }
  if (options.reset) {
    say('Deleting data of earlier runs');
    for (const part of [
      'postgres',
      'kafka',
      'images',
      'logs',
      'settings.json',
      'agent-key',
      'agent-key-kafka',
      'env.sh',
    ]) {
      await rm(join(dataFolder, part), { recursive: true, force: true });
    }
  }
  const settings = await loadLocalSettings(join(dataFolder, 'settings.json'));

  say(process.env['DATABASE_URL'] ? 'Using the PostgreSQL of DATABASE_URL' : 'Starting PostgreSQL');
  const postgres = await startPostgres({ dataDir: join(dataFolder, 'postgres') });
  resources.defer(() => postgres.stop());

  const wantsKafka = options.kafka || process.env['KAFKA_BROKERS'] !== undefined;
  if (wantsKafka) await provideKafka();
  if (wantsKafka) say(process.env['KAFKA_BROKERS'] ? 'Using the Kafka of KAFKA_BROKERS' : 'Starting Apache Kafka');
  const kafka = wantsKafka ? await startKafka({ dataDir: join(dataFolder, 'kafka'), onProgress: say }) : null;
  if (kafka) resources.defer(() => kafka.stop());

  const [dashboardFolder, packagesFolder] = await Promise.all([buildDashboard(say), buildPackages(say)]);
  const logFolder = join(dataFolder, 'logs');
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    // Each event log has databases of its own: what one log has told must not be mixed with what the other has.
    databasePrefix: kafka ? 'demo_kafka_' : 'demo_',
    ...(kafka && { kafkaBrokers: kafka.brokers }),
    settings,
    logFolder,
    imageFolder: join(dataFolder, 'images'),
    gatewayPort: options.port,
    dashboardFolder,
    packagesFolder,
    environment: { all: { LOG_LEVEL: 'info' }, 'content-service': modelVariables() },
    onProgress: say,
  });
  resources.defer(() => local.stop());

  const arrivals: { webhook: ReceivedWebhook; at: number }[] = [];
  const receiver = await startDemoReceiver({
    port: receiverPort,
    secret: settings.webhookSecret,
    siteUrl: DEMO_SITE_URL,
    onReceived: (webhook) => {
      arrivals.push({ webhook, at: performance.now() });
      console.error(`  receiver: ${webhook.body.event} ${'title' in webhook.body ? webhook.body.title : ''}`);
    },
  });
  resources.defer(() => receiver.close());

  let owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const demo = await seedDemo(owner, { url: `${receiver.url}/hooks/blog`, secret: settings.webhookSecret }, say);
  say(`Publishing “${demo.showcase.title}”`);
  const publishedAt = performance.now();
  const served = untilServed({
    origin: local.origin,
    publicKey: demo.publicKey,
    slug: demo.showcase.slug,
    notBefore: new Date(),
  });
  const publish = await publishAndWait(owner, demo.projectId, demo.showcase.id);
  const visibleAt = await served;
  const arrival = arrivals.find(({ webhook }) =>
    publish.deliveries.some(({ delivery_id: id }) => id === webhook.delivery),
  );
  const brokenWebhookId = await addBrokenReceiver(owner, demo, {
    url: `${receiver.url}${BROKEN_PATH}`,
    secret: settings.webhookSecret,
  });

  const agentKey = await demoAgentKey(
    { origin: local.origin, owner, projectId: demo.projectId },
    join(dataFolder, `agent-key${kafka ? '-kafka' : ''}`),
  );
  const environmentFile = join(dataFolder, 'env.sh');
  const writeEnvironment = () =>
    writeEnvironmentFile(environmentFile, {
      origin: local.origin,
      owner: { email: settings.ownerEmail, password: settings.ownerPassword, token: owner.token },
      projectId: demo.projectId,
      publicKey: demo.publicKey,
      agentKey,
      siteUrl: DEMO_SITE_URL,
      webhookSecret: settings.webhookSecret,
      brokers: kafka?.brokers ?? [],
    });
  await writeEnvironment();
  const renewing = setInterval(() => {
    owner
      .renew()
      .then((renewed) => {
        owner = renewed;
        return writeEnvironment();
      })
      .catch((error: Error) => console.error(`The token in ${environmentFile} was not renewed: ${error.message}`));
  }, RENEW_TOKEN_MS);
  resources.defer(() => clearInterval(renewing));

  console.log(
    summarise({
      origin: local.origin,
      receiverUrl: receiver.url,
      eventLog: kafka ? `Apache Kafka (${kafka.how}) at ${kafka.brokers.join(',')}` : 'PostgreSQL',
      owner: { email: settings.ownerEmail, password: settings.ownerPassword },
      demo,
      publish,
      brokenWebhookId,
      visibleAfterMs: visibleAt === null ? null : Math.round(visibleAt - publishedAt),
      webhook: arrival ? { received: arrival.webhook, afterMs: Math.round(arrival.at - publishedAt) } : null,
      logFolder: relative(process.cwd(), logFolder),
      startedInMs: performance.now() - startedAt,
    }),
  );
}

/** Has what runs a Kafka on this machine, where none is given and no container engine answers. */
async function provideKafka(): Promise<void> {
  if ((await kafkaAvailability()).available) return;
  const lacking = await provideTools([TOOLS.java, TOOLS.maven], { mayInstall: true, say });
  if (lacking !== null) {
    throw new Error(
      `--kafka needs Java and Maven, a container engine (Docker or Podman), or KAFKA_BROKERS. ${lacking.advice}`,
    );
  }
}

/** The variables by which a model is plugged in, as they were given to npm start. */
function modelVariables(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => /^(?:IMAGE_)?MODEL_[A-Z_]+$/.test(name));
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

const FORCED_AFTER_MS = 1_000;

/**
 * Waits for Ctrl-C or a stop by the system; a second one, later than a second after the first, ends everything
 * immediately.
 */
function stopAsked(): Promise<void> {
  let askedAt: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // npm and the terminal may each pass the same Ctrl-C on.
        if (askedAt !== undefined && performance.now() - askedAt > FORCED_AFTER_MS) process.exit(1);
        askedAt ??= performance.now();
        resolve();
      });
    }
  });
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  if (options.examples) {
    console.log(showExamples(relative(process.cwd(), join(resolve(root, options.data), 'env.sh'))));
    return 0;
  }
  const stop = stopAsked();
  const resources = new AsyncDisposableStack();
  let exitCode = 0;
  try {
    const up = await Promise.race([start(options, resources).then(() => true), stop.then(() => false)]);
    if (up) await stop;
  } catch (error) {
    const hint =
      error instanceof PortInUseError ? ' (npm start -- --port <n>; the demo receiver uses the next port)' : '';
    console.error(`\nStartup failed: ${(error as Error).message}${hint}`);
    exitCode = 1;
  }
  say('Stopping');
  await resources.disposeAsync();
  console.error('Stopped.');
  return exitCode;
}

process.exit(await main());
