import { randomUUID } from 'node:crypto';
import { storableText } from '@blog-content/service-runtime';
import type { BodyChoice } from './bodies.ts';
import { createRequestCheck, type AnswerCheck } from './check-answer.ts';
import type { Contract, ContractOperation, Json } from './contract.ts';
import { FRESH_KEY, type PlannedRequest } from './planned-request.ts';
import { archiveOf, idsOf, preparationOf } from './preparations.ts';
import type { RawAnswer, RawRequest, Sender } from './send.ts';
import type { Fixture, PreparedProject, World } from './world.ts';

/** What became of a planned request. */
export interface TrialResult {
  readonly request: RawRequest;
  readonly answer: RawAnswer;
  /** What the contract does not allow. */
  readonly wrong: readonly string[];
}

export interface TrialDependencies {
  readonly contract: Contract;
  readonly check: AnswerCheck;
  readonly sender: Sender;
  readonly world: World;
}

/** What else there is may stand against a request that is as the document asks. */
const MAY_REFUSE: readonly number[] = [409, 429];

/** Makes a function that carries out planned requests of an operation in a project and judges the answers. */
export function createTrial({ contract, check, sender, world }: TrialDependencies) {
  const fits = createRequestCheck(contract);

  return async (operation: ContractOperation, project: PreparedProject, plan: PlannedRequest): Promise<TrialResult> => {
    const fixture = await fixtureFor(operation, project, world);
    const request = await requestOf(operation, plan, fixture, sender);
    const answer = await sender.send(request).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${describeRequest(request)}`, { cause: error });
    });
    const wrong = check(operation, answer);
    const isAccepted = answer.status < 300;
    if (plan.isTame && !isAccepted && !MAY_REFUSE.includes(answer.status)) {
      wrong.push('it is refused though it is as the document asks');
    }
    if (isAccepted && mustBeRefused(operation, plan.body, fits)) {
      wrong.push('it is accepted though its body is not as the document asks');
    }
    const { location } = answer.headers;
    if (
      isAccepted &&
      typeof location === 'string' &&
      operation.answers.get(answer.status)?.headers.includes('location')
    ) {
      const found = await sender.send({
        method: 'GET',
        target: location,
        headers: authorization(fixture.token),
        body: null,
      });
      if (found.status !== 200) wrong.push(`what Location leads to is answered ${found.status}`);
    }
    return { request, answer, wrong };
  };
}

async function fixtureFor(operation: ContractOperation, project: PreparedProject, world: World): Promise<Fixture> {
  const fresh = await preparationOf(operation).each?.(world, project);
  const usual = { ownerSession: world.token, agentKey: project.agentKey, sessionCookie: undefined, none: undefined }[
    operation.credential
  ];
  return {
    token: fresh?.token ?? usual,
    headers: fresh?.headers ?? {},
    ids: { ...idsOf(project), ...fresh?.ids },
    facts: fresh?.facts ?? {},
  };
}

async function requestOf(
  operation: ContractOperation,
  plan: PlannedRequest,
  fixture: Fixture,
  sender: Sender,
): Promise<RawRequest> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const choice = plan.path[name];
    if (choice?.kind === 'other') return choice.encoded;
    const id = fixture.ids[name];
    if (id === undefined) throw new Error(`Nothing is prepared for {${name}} of ${operation.id}.`);
    return id;
  });
  const { idempotencyKey: key } = plan;
  const credential = authorization(fixture.token);
  const { bytes, headers } = await bodyOf(operation, plan, fixture);
  const ifMatch = plan.ifMatch.kind === 'current' ? await currentTag(path, credential, sender) : given(plan.ifMatch);
  return {
    method: operation.method,
    target: plan.query === '' ? path : `${path}?${plan.query}`,
    headers: {
      ...credential,
      ...fixture.headers,
      ...headers,
      ...(ifMatch !== null && { 'if-match': ifMatch }),
      ...(key !== null && { 'idempotency-key': key === FRESH_KEY ? randomUUID() : key }),
    },
    body: bytes,
  };
}

const authorization = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const given = (choice: PlannedRequest['ifMatch']): string | null => (choice.kind === 'given' ? choice.value : null);

/** The ETag of the data fields, of the brand voice, or of the blog or project that a path leads to or below. */
async function currentTag(path: string, headers: Record<string, string>, sender: Sender): Promise<string | null> {
  const resource = /^.*\/(?:data-fields|brand-voice)$|^.*\/blogs\/[^/]+|^.*\/projects\/[^/]+/.exec(path)?.[0];
  if (resource === undefined) return null;
  const answer = await sender.send({ method: 'GET', target: resource, headers, body: null });
  return typeof answer.headers['etag'] === 'string' ? answer.headers['etag'] : null;
}

async function bodyOf(
  operation: ContractOperation,
  { isTame, body }: PlannedRequest,
  fixture: Fixture,
): Promise<{ bytes: Buffer | null; headers: Readonly<Record<string, string>> }> {
  switch (body.kind) {
    case 'none':
      return { bytes: null, headers: {} };
    case 'raw':
      return { bytes: body.bytes, headers: body.headers };
    case 'archive':
      return { bytes: await archiveOf(body.files), headers: { 'content-type': 'application/zip' } };
    case 'json': {
      const { fit } = preparationOf(operation);
      const value = isTame && fit ? fit(body.value as { [key: string]: Json }, fixture) : body.value;
      return { bytes: Buffer.from(JSON.stringify(value)), headers: { 'content-type': 'application/json' } };
    }
  }
}

function mustBeRefused(
  { body: asked }: ContractOperation,
  body: BodyChoice,
  fits: ReturnType<typeof createRequestCheck>,
): boolean {
  switch (body.kind) {
    case 'none':
      return asked?.required === true;
    case 'raw':
      return body.unreadable;
    case 'archive':
      return false;
    case 'json':
      return asked !== null && !fits(asked.schema, asChecked(body.value));
  }
}

/** A body as the service checks it: NUL is taken out of its texts first, as the document says. */
function asChecked(body: Json): Json {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  );
  return JSON.parse(text) as Json;
}

const LONGEST = 1_000;
const MAX_LINES = 5;

/** A trial for people to read, with which to ask again. */
export function describeTrial({ request, answer, wrong }: TrialResult): string {
  return [
    ...wrong.slice(0, MAX_LINES).map((line) => `✗ ${line}`),
    describeRequest(request),
    `→ ${answer.status} ${JSON.stringify(answer.headers)}`,
    answer.body.toString().slice(0, LONGEST),
  ].join('\n');
}

function describeRequest({ method, target, headers: given, body }: RawRequest): string {
  const { authorization: credential, ...headers } = given;
  const bytes = Buffer.from(body ?? []);
  const isText = headers['content-type'] !== 'application/zip';
  return [
    `${method} ${target.slice(0, LONGEST)}${credential === undefined ? ' (without a credential)' : ''}`,
    JSON.stringify(headers),
    `${bytes.byteLength} bytes: ${bytes.toString(isText ? 'utf8' : 'base64').slice(0, LONGEST)}`,
  ].join('\n');
}
