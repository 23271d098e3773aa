import { randomUUID } from 'node:crypto';
import type { Answer, RunningService } from './running-service.ts';

/** Somebody with an account, signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** A member of `project` when one is given. */
export interface Membership {
  readonly project_id: string;
  readonly role: 'owner' | 'editor';
}

/** Invites somebody, who accepts. @param administrator their session's token. */
export async function newPerson(
  service: RunningService,
  administrator: string,
  membership?: Membership,
): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const password = `password of ${email}`;
  const invited = await service.call('POST', 'invitations', { token: administrator, json: { email, ...membership } });
  expect(invited.status).toBe(201);
  const json = { token: (invited.body as { token: string }).token, password };
  const accepted = await service.call('POST', 'invitations/accept', { json });
  expect(accepted.status).toBe(201);
  const {
    token,
    refresh_token: refreshToken,
    account,
  } = accepted.body as {
    token: string;
    refresh_token: string;
    account: { id: string };
  };
  return { id: account.id, email, password, token, refreshToken };
}

/** Invites somebody to a project, who accepts. @param owner session's token of an owner. */
export async function joinProject(
  service: RunningService,
  owner: string,
  { project_id: project, role }: Membership,
  person: Pick<Person, 'email' | 'token'>,
): Promise<void> {
  const json = { email: person.email, role };
  const invited = await service.call('POST', `projects/${project}/members`, { token: owner, json });
  expect(invited.status).toBe(201);
  const path = `account/invitations/${invited.body.id}/accept`;
  expect((await service.call('POST', path, { token: person.token })).status).toBe(200);
}

/** Signs in. */
export const signInAs = (service: RunningService, json: { email: string; password: string }): Promise<Answer> =>
  service.call('POST', 'session', { json: { email: json.email, password: json.password } });

/** The events of a project, as they stand in the outbox. */
export async function projectEvents(
  service: RunningService,
  project: string,
): Promise<{ event: string; project_event_number: number; members: { account_id: string; role: string }[] }[]> {
  const rows = await service.query<{ data: never }>(
    `select data from outbox where topic = 'blog.projects' and key = $1 order by position`,
    [project],
  );
  return rows.map(({ data }) => data);
}
