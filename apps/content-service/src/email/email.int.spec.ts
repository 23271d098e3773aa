import { randomUUID } from 'node:crypto';
import { toEnvelope } from '@blog-content/event-log';
import { deliveriesTopic, type DeliveryEvent } from '@blog-content/payload-schemas';
import { eventually, startMailServer, type MailServer } from '@blog-content/testing';
import { newPerson, signInAs, type Person } from '../../test/people.ts';
import { OWNER, startRunningService, type RunningService } from '../../test/running-service.ts';
import { tokenOf } from '../../test/token-of.ts';

const emailSettings = (port: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  SMTP_FROM: 'Garden blog <blog@blog.example>',
  SMTP_ALLOW_PLAINTEXT: 'true',
  DASHBOARD_URL: 'https://blog.example/',
  WORK_POLL_MS: '50',
});

let service: RunningService;
let server: MailServer;
let token: string;
let project: string;
/** Refused with these statuses. */
const refused = new Map<string, number>();
beforeAll(async () => {
  server = await startMailServer({ refuse: (recipient) => refused.get(recipient) ?? null });
  service = await startRunningService(emailSettings(server.port));
  // Of two replicas one sends it.
  await service.startReplica();
  token = await service.signIn();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  project = (await service.call('POST', 'projects', { token, json: { name: 'Garden notes' } })).body.id;
});

const NEW = 'a password of my own';
const newEmail = () => `${randomUUID()}@example.com`;
const invite = (email: string) => service.call('POST', 'invitations', { token, json: { email } });
const inviteMember = (email: string) =>
  service.call('POST', `projects/${project}/members`, { token, json: { email, role: 'editor' } });
const accept = async (invitation: string) =>
  (await service.call('POST', 'invitations/accept', { json: { token: invitation, password: NEW } })).status;
const ask = (email: string) => service.call('POST', 'password-reset/request', { json: { email } });
const reset = async (with_: string, password = NEW) =>
  (await service.call('POST', 'password-reset', { json: { token: with_, new_password: password } })).status;
const waiting = () => service.query<{ kind: string; recipient: string; tries: number }>('select * from email');
/** Once nothing waits any more: what was sent to the address. */
const sentTo = async (email: string) => {
  await eventually(async () => expect((await waiting()).filter(({ recipient }) => recipient === email)).toEqual([]));
  return server.to(email);
};
/**
 * Once so many emails to the address have been refused, and wait for their second try: that is sooner than a lease
 * ends.
 */
const refusedOnce = (email: string, count = 1) =>
  eventually(async () => {
    const rows = await service.query(
      `select 1 from email where recipient = $1 and tries = 1 and due_at < now() + interval '60 s'`,
      [email],
    );
    expect(rows).toHaveLength(count);
  });
const makeDue = (email: string) => service.query('update email set due_at = now() where recipient = $1', [email]);

describe('an invitation to make an account', () => {
  it('is sent once, with a link of its own beside the one that is shown', async () => {
    const email = newEmail();
    const { body } = await invite(email);
    expect(body.is_emailed).toBe(true);
    const mails = await sentTo(email);
    expect(mails).toHaveLength(1);
    const [mail] = mails;
    expect(mail?.headers).toMatchObject({
      from: 'Garden blog <blog@blog.example>',
      to: email,
      subject: 'You’re invited to Blog Content Service',
      'auto-submitted': 'auto-generated',
    });
    expect(mail?.text).toContain(`${OWNER.email} invited you.`);
    const linked = tokenOf(mail, 'invitation');
    expect(linked).not.toBe(body.token);
    expect(await accept(linked)).toBe(201);
    expect(await accept(body.token)).toBe(422);
  });

  it('can be accepted with the link that is shown, and then no more with the one that was sent', async () => {
    const email = newEmail();
    const { body } = await invite(email);
    const [mail] = await sentTo(email);
    expect(await accept(body.token)).toBe(201);
    expect(await accept(tokenOf(mail, 'invitation'))).toBe(422);
  });

  it('that was taken back before it was sent is not sent', async () => {
    const email = newEmail();
    refused.set(email, 450);
    const { body } = await invite(email);
    await refusedOnce(email);
    await service.call('DELETE', `invitations/${body.id}`, { token });
    refused.delete(email);
    await makeDue(email);
    expect(await sentTo(email)).toEqual([]);
  });

  it('is sent to an address three times an hour, and shown after that', async () => {
    const email = newEmail();
    const answers = [await invite(email), await invite(email), await invite(email), await invite(email)];
    expect(answers.map(({ body }) => body.is_emailed)).toEqual([true, true, true, false]);
    expect(await accept(answers.at(-1)?.body.token)).toBe(201);
  });

  it('repeated with its Idempotency-Key is sent once', async () => {
    const email = newEmail();
    const again = { token, json: { email }, headers: { 'idempotency-key': randomUUID() } };
    const answers = [
      await service.call('POST', 'invitations', again),
      await service.call('POST', 'invitations', again),
    ];
    expect(answers.map(({ body }) => body.is_emailed)).toEqual([true, true]);
    expect(await sentTo(email)).toHaveLength(1);
  });
});

describe('an invitation to a project', () => {
  it('is sent alike whether the address has an account or not', async () => {
    const known = await newPerson(service, token);
    const unknown = newEmail();
    const answers = [await inviteMember(known.email), await inviteMember(unknown)];
    expect(answers.map(({ body }) => body.is_emailed)).toEqual([true, true]);
    const [mail] = (await sentTo(known.email)).slice(-1);
    const [other] = await sentTo(unknown);
    // A minute may begin between the two.
    const withoutMinute = (text = '') => text.replace(/ at \d\d:\d\d UTC/, '');
    expect(withoutMinute(mail?.text)).toBe(withoutMinute(other?.text));
    expect(mail?.text).toMatch(/The link expires on .+ at \d\d:\d\d UTC/);
    expect(mail?.text).toContain('https://blog.example/account');
    expect(mail?.text).toContain(`${OWNER.email} invited you to “Garden notes” as an editor.`);
  });

  it('whose project’s name has line breaks says it in one line, and to nobody else', async () => {
    const name = `Garden\r\nBcc: evil@example.com\r\n\r\n${'long '.repeat(30)}`;
    project = (await service.call('POST', 'projects', { token, json: { name } })).body.id;
    const email = newEmail();
    await inviteMember(email);
    const mails = await sentTo(email);
    expect(mails.map(({ recipients }) => recipients)).toEqual([[email]]);
    const [mail] = mails;
    expect(Object.keys(mail?.headers ?? {}).sort()).toEqual([
      'auto-submitted',
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
    expect(mail?.text).toMatch(/“Garden Bcc: evil@example\.com long [a-z ]+…” as an editor/);
  });
});

describe('a reset that is asked for', () => {
  let person: Person;
  beforeEach(async () => {
    person = await newPerson(service, token);
    await sentTo(person.email);
  });
  const resets = async (email: string) =>
    (await sentTo(email)).filter(({ headers }) => headers['subject'] === 'Reset your password');

  it('is sent to an account, and answered alike where there is none', async () => {
    const stranger = newEmail();
    const answers = [await ask(person.email.toUpperCase()), await ask(stranger)];
    const shapes = answers.map(({ status, body, headers }) => [status, body, Object.keys(headers).sort()]);
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]?.slice(0, 2)).toEqual([202, null]);
    expect(await sentTo(stranger)).toEqual([]);
    const [mail] = await resets(person.email);
    expect(await reset(tokenOf(mail, 'password-reset'))).toBe(204);
    expect((await signInAs(service, { ...person, password: NEW })).status).toBe(201);
  });

  it('leaves earlier links as they are, and the first that is used ends all', async () => {
    await ask(person.email);
    await ask(person.email);
    const [first, second] = (await resets(person.email)).map((mail) => tokenOf(mail, 'password-reset'));
    expect(await reset(first ?? '')).toBe(204);
    expect(await reset(second ?? '')).toBe(422);
  });

  it('ends after an hour', async () => {
    await ask(person.email);
    const [mail] = await resets(person.email);
    const [row] = await service.query<{ minutes: number }>(
      `select extract(epoch from expires_at - created_at)::float / 60 as minutes from password_reset where account_id = $1`,
      [person.id],
    );
    expect(row?.minutes).toBeLessThanOrEqual(60);
    await service.query('update password_reset set expires_at = now() where account_id = $1', [person.id]);
    expect(await reset(tokenOf(mail, 'password-reset'))).toBe(422);
  });

  it('that waits is not sent once the password was changed', async () => {
    refused.set(person.email, 450);
    await ask(person.email);
    await refusedOnce(person.email);
    const json = { current_password: person.password, new_password: NEW };
    expect((await service.call('POST', 'account/password', { token: person.token, json })).status).toBe(204);
    expect(await waiting()).toEqual([]);
    expect(await service.query('select 1 from password_reset where account_id = $1', [person.id])).toEqual([]);
    refused.delete(person.email);
  });

  it('is refused after three an hour, with an account and without one', async () => {
    for (const email of [person.email, newEmail()]) {
      const statuses = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
    }
    const { headers, body } = await ask(person.email);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    expect(body.detail).not.toContain('@');
  });

  it('is refused when the network asks for too many, whatever the address', async () => {
    await service.query(`update rate_limit set points = 30 where key like 'email-reset-from:%'`);
    expect((await ask(newEmail())).status).toBe(429);
    await service.query(`delete from rate_limit where key like 'email-reset-from:%'`);
  });

  it('is refused while too many wait, and answered alike with an account and without one', async () => {
    await service.query(
      `insert into email (kind, recipient, about, expires_at, due_at)
       select 'password_reset', 'waits-' || n || '@example.com', '{}', now() + interval '1 hour', now() + interval '1 hour'
         from generate_series(1, 1000) n`,
    );
    const answers = [await ask(person.email), await ask(newEmail())];
    expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [429, '60'],
      [429, '60'],
    ]);
    await service.query(`delete from email where recipient like 'waits-%'`);
  });

  it('is also made by the administrator, who is shown a link of their own', async () => {
    const { body } = await service.call('POST', `accounts/${person.id}/password-resets`, { token, json: {} });
    expect(body.is_emailed).toBe(true);
    const [mail] = await resets(person.email);
    expect(await reset(tokenOf(mail, 'password-reset'))).toBe(204);
    expect(await reset(body.token)).toBe(422);
  });
});

describe('owners', () => {
  const integrationId = randomUUID();
  const since = (minute: number) => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();
  const failing = (minute: number, of = integrationId): DeliveryEvent => ({
    event: 'integration.failing',
    ...{ project_id: project, integration_id: of, receiver: 'receiver.example' },
    ...{ failing_since: since(minute), failed_deliveries: 5, reason: 'status', detail: 'It answered 500.' },
  });
  const recovered = (of = integrationId): DeliveryEvent => ({
    event: 'integration.recovered',
    ...{ project_id: project, integration_id: of, receiver: 'receiver.example' },
    ...{ failing_since: since(0), recovered_at: since(30) },
  });
  const tell = (...events: DeliveryEvent[]) =>
    service.eventLog.append(events.map((event) => toEnvelope(deliveriesTopic, event, { source: '/test' })));
  const join = async (role: 'owner' | 'editor') => newPerson(service, token, { project_id: project, role });
  /** What they were told, without their invitations. */
  const toldTo = async ({ email }: { email: string }) =>
    (await sentTo(email)).filter(({ headers }) => !headers['subject']?.startsWith('You’re invited'));
  /** A mail to the other owner comes after all that was told of before. */
  const isHeard = async (minute: number, integration: string) => {
    await eventually(async () => {
      const found = await service.query(
        'select 1 from receiver_alarm where integration_id = $1 and failing_since = $2',
        [integration, since(minute)],
      );
      expect(found).toHaveLength(1);
    });
  };

  it('hear of a receiver that fails once, however often its event comes, and again when it fails anew', async () => {
    const [owner, editor] = [await join('owner'), await join('editor')];
    await tell(failing(0), failing(0));
    await tell(failing(0), recovered(), failing(40));
    await isHeard(40, integrationId);
    const mails = await toldTo(owner);
    // What waited when it recovered was not sent any more.
    expect(mails.length).toBeGreaterThanOrEqual(1);
    expect(mails.length).toBeLessThanOrEqual(2);
    expect(mails.at(-1)?.headers['subject']).toContain('receiver.example');
    expect(mails.at(-1)?.text).toContain('1 November 2026 at 10:40 UTC');
    expect(mails.at(-1)?.text).toContain('It answered 500.');
    expect(mails.at(-1)?.text).toContain(`https://blog.example/projects/${project}/webhooks/${integrationId}`);
    expect(await toldTo(editor)).toEqual([]);
  });

  it('do not hear what is over by the time that it could be sent, and no more once they are no owners', async () => {
    const [receiver, other] = [randomUUID(), randomUUID()];
    const [owner, former] = [await join('owner'), await join('owner')];
    await Promise.all([toldTo(owner), toldTo(former)]);
    for (const { email } of [owner, former]) refused.set(email, 450);
    await tell(failing(0, receiver), failing(0, other));
    await refusedOnce(owner.email, 2);
    await refusedOnce(former.email, 2);
    await tell(recovered(receiver));
    await refusedOnce(owner.email, 1);
    const demoted = { token, json: { role: 'editor' } };
    await service.call('PATCH', `projects/${project}/members/${former.id}`, demoted);
    refused.clear();
    await makeDue(owner.email);
    await makeDue(former.email);
    expect(await toldTo(former)).toEqual([]);
    expect((await toldTo(owner)).map(({ text }) => text.includes(`/webhooks/${other}`))).toEqual([true]);
  });

  it('hear of ten things of a project in an hour', async () => {
    const owner = await join('owner');
    const integrations = Array.from({ length: 12 }, () => randomUUID());
    await tell(...integrations.map((of) => failing(0, of)));
    await isHeard(0, integrations.at(-1) ?? '');
    expect(await toldTo(owner)).toHaveLength(10);
  });

  it('hear why the autopilot waits, once', async () => {
    const owner = await join('owner');
    const settings = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
    await service.call('PUT', `projects/${project}/autopilot`, { token, json: settings });
    const fire = () => service.query('update autopilot set next_run_at = now() where project_id = $1', [project]);
    await fire();
    const mails = await eventually(async () => {
      const found = await toldTo(owner);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(mails[0]?.headers['subject']).toContain('Garden notes');
    expect(mails[0]?.text).toContain('The queue is empty');
    expect(mails[0]?.text).toContain(`https://blog.example/projects/${project}/autopilot`);
    await fire();
    await eventually(async () => {
      const due = await service.query('select 1 from autopilot where project_id = $1 and next_run_at is null', [
        project,
      ]);
      expect(due).toHaveLength(1);
    });
    expect(await toldTo(owner)).toHaveLength(1);
  });

  it('hear that the autopilot has stopped when three posts in a row could not be made', async () => {
    const [owner, editor] = [await join('owner'), await join('editor')];
    const settings = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
    await service.call('PUT', `projects/${project}/autopilot`, { token, json: settings });
    const topics = ['One', 'Two', 'Three', 'Four'].map((topic) => ({ topic }));
    const added = await service.call('POST', `projects/${project}/autopilot/topics`, { token, json: { topics } });
    expect(added.status).toBe(201);
    // A project with all the blogs that it may have.
    await service.query('update project set kept_blogs = 100000 where id = $1', [project]);
    for (let failures = 1; failures <= 3; failures += 1) {
      expect(await toldTo(owner)).toEqual([]);
      await service.query('update autopilot set next_run_at = now() where project_id = $1', [project]);
      await eventually(async () => {
        const { body } = await service.call('GET', `projects/${project}/autopilot`, { token });
        expect(body.failures_in_a_row).toBe(failures);
      });
    }
    const [mail, ...more] = await toldTo(owner);
    expect(mail?.headers['subject']).toBe('The autopilot of “Garden notes” has stopped');
    expect(mail?.text).toContain('Three posts in a row failed');
    expect(mail?.text).toContain(`https://blog.example/projects/${project}/autopilot`);
    expect(more).toEqual([]);
    expect(await toldTo(editor)).toEqual([]);
  });
});
