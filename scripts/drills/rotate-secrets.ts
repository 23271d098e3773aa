import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { serviceNames, type Publish } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import type { Drill, DrillContext } from './parts/drill.ts';
import { databaseOf, newPassword, query } from './parts/secured-servers.ts';
import { startSecuredStack, WITH_IMAGES, type SecuredStack } from './parts/secured-stack.ts';
import { startPublishing, type SteadyPublishing } from './parts/steady-publishing.ts';

const run = promisify(execFile);
const WAIT = { timeoutMs: 120_000 };

type Step = (stack: SecuredStack, context: DrillContext) => Promise<void>;

const encryptionKeys: Step = async ({ files, postgres, restart, settings }, { say, check }) => {
  say('Encryption keys: new key behind, then in front, then re-encrypt, then alone');
  const k1 = settings.encryptionKeys;
  const k2 = `k2:${randomBytes(32).toString('base64')}`;
  for (const keys of [`${k1},${k2}`, `${k2},${k1}`]) {
    for (const service of serviceNames) files.set(service, 'ENCRYPTION_KEYS', keys);
    await restart(...serviceNames);
  }
  for (const service of serviceNames) {
    const env = { DATABASE_URL: postgres.serviceUrl(service), ENCRYPTION_KEYS: `${k2},${k1}` };
    const stdout = await rotate(['encryption-key'], env);
    check(`${service}: the old key may go`, stdout.includes('local may go: 0 values need it'));
    const left = await textsWith(postgres.url(databaseOf(service)), 'v1.local.');
    check(`${service}: no row of any table has a text of the old key`, left === 0);
    files.set(service, 'ENCRYPTION_KEYS', k2);
  }
  await restart(...serviceNames);
};

const sessionKey: Step = async (stack, { folder, say, check }) => {
  const { files, origin, owner, projectId, renewSession, restart, settings } = stack;
  say('Session key: three deployments');
  const made = join(folder, 'session');
  await rotate(['session-key', made], { OWNER_SESSION_PRIVATE_JWK: settings.ownerSessionPrivateJwk });
  const step = (file: string, name: string) => parseEnv(readFileSync(join(made, file), 'utf8'))[name] ?? '';
  const statusesOf = async (token: string) => {
    const paths = ['session', `projects/${projectId}/public-key`, `projects/${projectId}/webhooks`];
    const headers = { authorization: `Bearer ${token}` };
    const answers = await Promise.all(paths.map((path) => fetch(`${origin}/blog/api/v1/owner/${path}`, { headers })));
    return answers.map(({ status }) => status).join();
  };
  const old = owner().token;
  const acceptKeysOf = async (file: string) => {
    for (const service of serviceNames) files.set(service, 'OWNER_SESSION_JWKS', step(file, 'OWNER_SESSION_JWKS'));
    await restart(...serviceNames);
  };
  await acceptKeysOf('1-accept-both.env');
  files.set('content-service', 'OWNER_SESSION_PRIVATE_JWK', step('2-sign-with-new.env', 'OWNER_SESSION_PRIVATE_JWK'));
  await restart('content-service');
  check('the old session works in every service', (await statusesOf(old)) === '200,200,200');
  await renewSession();
  check('a new session works in every service', (await statusesOf(owner().token)) === '200,200,200');
  await acceptKeysOf('3-refuse-old.env');
  check('then every service refuses the old one', (await statusesOf(old)) === '401,401,401');
  check('and the new one works', (await statusesOf(owner().token)) === '200,200,200');
};

const databasePasswords: Step = async ({ files, postgres, restart }, { say, check }) => {
  say('Database passwords: a second role, then the first one is closed');
  const server = postgres.url('postgres');
  for (const service of serviceNames) {
    const role = databaseOf(service);
    const password = newPassword();
    await query(server, `CREATE ROLE ${role}_2 LOGIN PASSWORD '${password}' IN ROLE ${role}`);
    files.set(service, 'DATABASE_URL', postgres.urlAs(`${role}_2`, password, role));
    await restart(service);
    await query(server, `ALTER ROLE ${role} NOLOGIN PASSWORD NULL`);
    const sessions = await query(server, `SELECT FROM pg_stat_activity WHERE usename = '${role}'`);
    check(`${service}: no session has the old role`, sessions.length === 0);
    check(`${service}: the old password is refused`, await fails(query(postgres.serviceUrl(service), 'SELECT 1')));
  }
};

const kafkaPasswords: Step = async ({ files, kafka, kafkaAdmin, restart }, { say, check }) => {
  say('Kafka passwords');
  for (const service of serviceNames) {
    const password = newPassword();
    await kafka.setPassword(service, password);
    files.set(service, 'KAFKA_SASL_PASSWORD', password);
    await restart(service);
    const old = kafkaAdmin(service, kafka.users[service] ?? '');
    check(`${service}: the old password is refused`, await fails(old.connect()));
    await old.disconnect();
  }
};

const s3Keys: Step = async ({ files, owner, projectId, restart, s3, s3Key }, { say, check }) => {
  say('S3 keys: a second key, then the first one is deleted');
  const second = await s3.createKey();
  for (const service of WITH_IMAGES) {
    files.set(service, 'S3_ACCESS_KEY_ID', second.id);
    files.set(service, 'S3_SECRET_ACCESS_KEY', second.secret);
    await restart(service);
  }
  await s3.deleteKey(s3Key.id);
  const image = await owner().upload<{ url: string }>(`projects/${projectId}/images?alt=Drill`, PIXEL, 'image/png');
  check('an image is stored and served with the new key', (await fetch(image.url)).status === 200);
};

const smtpPassword: Step = async ({ files, login, mail, owner, restart, smtpUrl }, { say, check }) => {
  say('SMTP password: the server’s first; what fails until the restart is sent again');
  const people = ['between@people.example', 'after@people.example'] as const;
  login.password = newPassword();
  await owner().post('invitations', { email: people[0] });
  files.set('content-service', 'SMTP_URL', smtpUrl());
  await restart('content-service');
  await owner().post('invitations', { email: people[1] });
  await eventually(() => {
    for (const person of people) if (mail.to(person).length === 0) throw new Error(`No email for ${person} yet`);
  }, WAIT);
  check(
    'each email came once',
    people.every((person) => mail.to(person).length === 1),
  );
};

async function endLoad(publishing: SteadyPublishing, stack: SecuredStack, { say, check }: DrillContext): Promise<void> {
  const { origin, owner, projectId, publicKey, receiver, restarts } = stack;
  say('Ending the load');
  await publishing.stop();
  const { accepted, repeated } = publishing;
  const deliveries = (blogId: string) => receiver.requests.filter((sent) => sent.json()['blog_id'] === blogId).length;
  const last = accepted.slice(-20).map((id) => `projects/${projectId}/blogs/${id}/publishes`);
  await eventually(async () => {
    const missing = accepted.filter((id) => deliveries(id) === 0).length;
    if (missing > 0) throw new Error(`${missing} deliveries are missing`);
    const publishes = await Promise.all(last.map((path) => owner().get<{ items: Publish[] }>(path)));
    if (publishes.some(({ items }) => items[0]?.status !== 'succeeded')) throw new Error('A publish is still pending');
  }, WAIT);
  say(`${accepted.length} publishes, ${restarts()} restarts, ${repeated()} requests repeated during them`);
  const isSigned = receiver.requests.every(({ signature }) => signature === 'valid');
  check('each publish was delivered exactly once, signed', isSigned && accepted.every((id) => deliveries(id) === 1));
  const headers = { authorization: `Bearer ${publicKey}` };
  const list = await fetch(`${origin}/blog/api/v1/public/blogs?limit=1`, { headers });
  check('the public API serves all of them', ((await list.json()) as { total: number }).total === accepted.length);
}

/** Runs the command as an operator does, and gives what it prints. */
async function rotate(args: readonly string[], env: Record<string, string>): Promise<string> {
  const program = join(import.meta.dirname, '../../libs/operator-commands/src/rotate.main.ts');
  const options = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
  return (await run(process.execPath, [...options, program, ...args], { env })).stdout;
}

const fails = (trying: Promise<unknown>): Promise<boolean> =>
  trying.then(
    () => false,
    () => true,
  );

/** How many rows of all tables have a text with it, in whatever column. */
async function textsWith(url: string, text: string): Promise<number> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT format('%I', relname) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  let sum = 0;
  for (const { name } of tables) {
    sum += (await query(url, `SELECT FROM ${name} WHERE position('${text}' IN ${name}::text) > 0`)).length;
  }
  return sum;
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQaHAAAAGkAOGt06eBAAAAAElFTkSuQmCC',
  'base64',
);

export const drill: Drill = async (context) => {
  const stack = await startSecuredStack(context);
  const { origin, owner, projectId } = stack;
  const publishing = startPublishing({ origin: () => origin, projectId, token: () => owner().token, everyMs: 300 });
  for (const step of [encryptionKeys, sessionKey, databasePasswords, kafkaPasswords, s3Keys, smtpPassword]) {
    await step(stack, context);
  }
  await endLoad(publishing, stack, context);
};
