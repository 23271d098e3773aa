import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLogger } from '@blog-content/service-runtime';
import { createTestCertificate, eventually, startMailServer, type MailServerOptions } from '@blog-content/testing';
import { startRunningService, type RunningService } from '../../test/running-service.ts';
import { spawnService } from '../../test/service-process.ts';
import { tokenOf } from '../../test/token-of.ts';

const settingsOf = (url: string) => ({
  SMTP_URL: url,
  SMTP_FROM: 'blog@blog.example',
  DASHBOARD_URL: 'https://blog.example',
  WORK_POLL_MS: '50',
});
const plain = (port: number) => ({ ...settingsOf(`smtp://127.0.0.1:${port}`), SMTP_ALLOW_PLAINTEXT: 'true' });
const newEmail = () => `${randomUUID()}@example.com`;
const invite = async (service: RunningService, email: string) => {
  const { body } = await service.call('POST', 'invitations', { token: await service.signIn(), json: { email } });
  return body as { token: string; is_emailed: boolean };
};
const accept = async (service: RunningService, token: string) =>
  (await service.call('POST', 'invitations/accept', { json: { token, password: 'a password of my own' } })).status;
const waiting = (service: RunningService) => service.query<{ tries: number }>('select tries from email');
const tried = (service: RunningService, tries: number) =>
  eventually(async () => expect(await waiting(service)).toEqual([{ tries }]));
const nothingWaits = (service: RunningService) => eventually(async () => expect(await waiting(service)).toEqual([]));
/** As if the wait for the next try, or the lease of a try, were over. */
const makeDue = (service: RunningService) => service.query('update email set due_at = now()');

/** All that is logged. */
function recordLogs() {
  let logged = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  const events = (name: string) =>
    logged
      .split('\n')
      .filter((line) => line.includes(`"${name}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger: createLogger('content-service', 'debug', destination), all: () => logged, events };
}

describe('an email', () => {
  it('waits while the SMTP server is away, and is sent once it is back', async () => {
    const gone = await startMailServer();
    await gone[Symbol.asyncDispose]();
    const logs = recordLogs();
    await using service = await startRunningService(plain(gone.port), logs.logger);
    const email = newEmail();
    expect((await invite(service, email)).is_emailed).toBe(true);
    const failed = (times: number) => eventually(() => expect(logs.events('email.failed')).toHaveLength(times));
    await failed(1);
    await makeDue(service);
    await failed(2);
    expect(await waiting(service)).toEqual([{ tries: 2 }]);
    await using server = await startMailServer({ port: gone.port });
    await makeDue(service);
    await nothingWaits(service);
    expect(server.to(email)).toHaveLength(1);
    expect(await accept(service, tokenOf(server.mails[0], 'invitation'))).toBe(201);
  });

  it('that the server refuses for good is given up, one that it refuses for now is tried again', async () => {
    const logs = recordLogs();
    const refusals = new Map<string, number>();
    await using server = await startMailServer({ refuse: (recipient) => refusals.get(recipient) ?? null });
    await using service = await startRunningService(plain(server.port), logs.logger);
    const [never, later] = [newEmail(), newEmail()];
    refusals.set(never, 550);
    const shown = [await invite(service, never)];
    await nothingWaits(service);
    refusals.set(later, 450);
    shown.push(await invite(service, later));
    await tried(service, 1);
    await eventually(() => expect(logs.events('email.failed')).toHaveLength(1));
    refusals.clear();
    await makeDue(service);
    await nothingWaits(service);
    expect([server.to(never).length, server.to(later).length]).toEqual([0, 1]);
    expect(logs.events('email.given_up')).toMatchObject([
      { level: 'error', kind: 'account_invitation', tries: 1, response_code: 550, command: 'RCPT TO' },
    ]);
    const secrets = [never, later, tokenOf(server.mails[0], 'invitation'), ...shown.map(({ token }) => token)];
    for (const secret of secrets) expect(logs.all()).not.toContain(secret);
  });

  it('is given up after 20 tries, and when it is of no use any more', async () => {
    const logs = recordLogs();
    await using server = await startMailServer({ refuse: () => 450 });
    await using service = await startRunningService(plain(server.port), logs.logger);
    await invite(service, newEmail());
    await tried(service, 1);
    await eventually(() => expect(logs.events('email.failed')).toHaveLength(1));
    await service.query('update email set tries = 19, due_at = now()');
    await tried(service, 20);
    await eventually(() => expect(logs.events('email.failed')).toHaveLength(2));
    await makeDue(service);
    await nothingWaits(service);
    await invite(service, newEmail());
    await tried(service, 1);
    await eventually(() => expect(logs.events('email.failed')).toHaveLength(3));
    await service.query('update email set expires_at = now(), due_at = now()');
    await nothingWaits(service);
    expect(logs.events('email.given_up').map(({ tries }) => tries)).toEqual([21, 2]);
  });

  it('and the password go to no server without TLS', async () => {
    const logs = recordLogs();
    await using server = await startMailServer();
    const settings = settingsOf(`smtp://me:hunter2@127.0.0.1:${server.port}`);
    await using service = await startRunningService(settings, logs.logger);
    await invite(service, newEmail());
    await tried(service, 1);
    await eventually(() => expect(logs.events('email.failed')).toMatchObject([{ code: 'ETLS' }]));
    expect(server.mails).toEqual([]);
    expect(logs.all()).not.toContain('hunter2');
  });

  it('and the password go to no server whose certificate nobody vouches for', async () => {
    const logs = recordLogs();
    await using server = await startMailServer({ certificate: await createTestCertificate() });
    const settings = settingsOf(`smtp://me:hunter2@127.0.0.1:${server.port}`);
    await using service = await startRunningService(settings, logs.logger);
    await invite(service, newEmail());
    await eventually(() => expect(logs.events('email.failed')).toHaveLength(1));
    expect(server.mails).toEqual([]);
  });
});

describe('a service that stops', () => {
  it('waits a moment for a server that does not answer, and leaves the email to who comes next', async () => {
    const logs = recordLogs();
    const got = Promise.withResolvers<undefined>();
    const hang = new Promise<void>(() => undefined);
    await using server = await startMailServer({
      beforeAnswer: () => {
        got.resolve(undefined);
        return hang;
      },
    });
    await using service = await startRunningService({ ...plain(server.port), WORK_POLL_MS: '60000' }, logs.logger);
    const replica = await service.startReplica({ WORK_POLL_MS: '50' });
    await invite(service, newEmail());
    await got.promise;
    await replica.stop();
    expect(logs.events('email.failed')).toMatchObject([{ tries: 1, code: 'EABORT' }]);
    expect(await waiting(service)).toEqual([{ tries: 1 }]);
  });
});

describe('a service that is killed', () => {
  const startKilled = async (resources: AsyncDisposableStack, more: Partial<MailServerOptions>) => {
    const certificate = await createTestCertificate();
    const login = { user: 'blog', password: 'p@ss word' };
    const server = resources.use(await startMailServer({ certificate, login, ...more }));
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-email-'));
    resources.defer(() => rm(folder, { recursive: true }));
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, certificate.authority);
    // It queues, and a process of its own sends: the one that is killed.
    const service = resources.use(await startRunningService({ ...plain(1), WORK_POLL_MS: '60000' }));
    const settings = settingsOf(`smtp://blog:p%40ss%20word@127.0.0.1:${server.port}`);
    const env = { ...service.variables, ...settings, SMTP_ALLOW_PLAINTEXT: 'false', NODE_EXTRA_CA_CERTS: authority };
    return { server, service, start: () => spawnService(env) };
  };

  it('before the server has answered sends the email again, as the same one and with a link of its own, and once what it had not begun', async () => {
    await using resources = new AsyncDisposableStack();
    const got = Promise.withResolvers<undefined>();
    const answers = [
      () => {
        got.resolve(undefined);
        return new Promise<never>(() => undefined);
      },
    ];
    const { server, service, start } = await startKilled(resources, {
      beforeAnswer: () => answers.shift()?.() ?? Promise.resolve(),
    });
    const first = await start();
    resources.defer(() => first.kill());
    const email = newEmail();
    await invite(service, email);
    await got.promise;
    await first.kill();
    const begunLater = newEmail();
    await invite(service, begunLater);
    expect((await waiting(service)).map(({ tries }) => tries).toSorted()).toEqual([0, 1]);
    const second = await start();
    resources.defer(() => second.kill());
    await eventually(() => expect(server.to(begunLater)).toHaveLength(1));
    // The lease of the try that was broken off holds.
    expect(server.to(email)).toHaveLength(1);
    await makeDue(service);
    await nothingWaits(service);
    expect(server.to(begunLater)).toHaveLength(1);
    const mails = server.to(email);
    expect(mails.map(({ user, isEncrypted }) => [user, isEncrypted])).toEqual([
      ['blog', true],
      ['blog', true],
    ]);
    expect(new Set(mails.map(({ headers }) => headers['message-id'])).size).toBe(1);
    // The one that the person finds first may be either.
    expect(new Set(mails.map((mail) => tokenOf(mail, 'invitation'))).size).toBe(2);
    expect(await accept(service, tokenOf(mails[0], 'invitation'))).toBe(201);
    expect(await accept(service, tokenOf(mails[1], 'invitation'))).toBe(422);
  });
});

describe('without an SMTP server', () => {
  it('nothing is queued, links are shown, and a forgotten password is for the administrator', async () => {
    await using service = await startRunningService();
    const token = await service.signIn();
    expect((await service.call('GET', 'session/options')).body).toEqual({ sends_email: false });
    const shown = await invite(service, newEmail());
    expect(shown).toMatchObject({ is_emailed: false, token: expect.any(String) });
    const project = (await service.call('POST', 'projects', { token, json: { name: 'Site' } })).body.id;
    const json = { email: newEmail(), role: 'editor' };
    expect((await service.call('POST', `projects/${project}/members`, { token, json })).body.is_emailed).toBe(false);
    expect((await service.call('POST', 'password-reset/request', { json: { email: newEmail() } })).status).toBe(409);
    expect(await waiting(service)).toEqual([]);
  });

  it('that is, with one, pages are told so', async () => {
    await using service = await startRunningService(plain(1));
    expect((await service.call('GET', 'session/options')).body).toEqual({ sends_email: true });
  });
});
