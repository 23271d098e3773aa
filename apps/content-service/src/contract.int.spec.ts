import fc from 'fast-check';
import { createAnswerCheck } from '../test/contract/check-answer.ts';
import { readContract, type ContractOperation, type Json } from '../test/contract/contract.ts';
import { plannedRequests } from '../test/contract/planned-request.ts';
import { idsOf, preparationOf } from '../test/contract/preparations.ts';
import { createSender, type Sender } from '../test/contract/send.ts';
import { createTrial, describeTrial } from '../test/contract/try-operation.ts';
import { createWorld, type PreparedProject, type World } from '../test/contract/world.ts';
import { sendStream, startModelServer } from '../test/model-server.ts';
import { startRunningService } from '../test/running-service.ts';

const seed = Number(process.env['CONTRACT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env['CONTRACT_RUNS'] ?? 4);
/** Of requests that wait for a password to be hashed. */
const SLOW_SHARE = 1 / 4;

const contract = readContract();
// Failed sign-ins have later ones wait.
const operations = contract.operations.toSorted((a, b) => Number(a.id === 'signIn') - Number(b.id === 'signIn'));
const check = createAnswerCheck(contract);

/** No request parks an event. Tested in public-read-service, which shares these routes. */
const NEED_PARKED_EVENTS = new Set(['retryContentParkedEvents', 'skipContentParkedEvent']);

/** Of its own for each operation, whichever others run: the same one would draw the same oddities everywhere. */
const seedOf = (id: string): number => [...id].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, seed);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const resources = new AsyncDisposableStack();
let sender: Sender;
let world: World;
let trial: ReturnType<typeof createTrial>;
let readProject: Promise<PreparedProject> | undefined;
const tally = new Map<string, { sent: number; accepted: number; tame: number; tameAccepted: number }>();

beforeAll(async () => {
  // Emails are queued for a server that is away.
  const settings = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    SMTP_FROM: 'blog@example.com',
    DASHBOARD_URL: 'https://blog.example',
  };
  const service = resources.use(await startRunningService(settings));
  sender = resources.use(createSender(service.origin));
  const model = resources.use(await startModelServer());
  model.answer = (_asked, response) => sendStream(response, { answer: 'Ready.' });
  world = await createWorld(service, model.url);
  // Once: it compiles every schema of the document.
  trial = createTrial({ contract, check, sender, world });
});
afterAll(async () => {
  const sum = (key: 'sent' | 'accepted' | 'tame' | 'tameAccepted') =>
    [...tally.values()].reduce((total, of) => total + of[key], 0);
  const share = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`;
  process.stderr.write(
    `contract: CONTRACT_SEED=${seed}, ${sum('sent')} requests, ${share(sum('accepted'), sum('sent'))} accepted; ` +
      `of those as the document asks ${share(sum('tameAccepted'), sum('tame'))}\n`,
  );
  await resources.disposeAsync();
});

describe(`every operation keeps to the document, whatever it is sent (CONTRACT_SEED=${seed})`, () => {
  const preparable = operations.filter(({ id }) => !NEED_PARKED_EVENTS.has(id));
  it.each(preparable.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    // What only reads leaves it as it is for others.
    const project = await (operation.method === 'GET' ? (readProject ??= world.newProject()) : world.newProject());
    const counts = { sent: 0, accepted: 0, tame: 0, tameAccepted: 0 };
    tally.set(id, counts);
    const plans = plannedRequests(operation, contract);
    const property = fc.asyncProperty(plans, async (plan) => {
      const tried = await trial(operation, project, plan);
      const isAccepted = tried.answer.status < 300;
      counts.sent += 1;
      counts.accepted += Number(isAccepted);
      counts.tame += Number(plan.isTame);
      counts.tameAccepted += Number(plan.isTame && isAccepted);
      if (tried.wrong.length > 0) throw new Error(describeTrial(tried));
    });
    const numRuns = preparationOf(operation).slow ? Math.max(4, Math.ceil(runs * SLOW_SHARE)) : runs;
    // Of a few runs none may be as the document asks; the first one is.
    const asAsked = fc.sample(
      plans.filter(({ isTame }) => isTame),
      { seed: seedOf(id), numRuns: 1 },
    );
    const found = await fc.check(property, {
      seed: seedOf(id),
      numRuns,
      examples: asAsked.map((plan) => [plan]),
      interruptAfterTimeLimit: 40_000,
    });
    // The request itself says more than the plan of it.
    if (found.failed) throw new Error(`${messageOf(found.errorInstance)}\n(CONTRACT_SEED=${seed} ${id})`);
    expect(counts.accepted).toBeGreaterThan(0);
  });
});

describe('a field that the document does not list is refused, and named', () => {
  const FIELD = 'unknown_field';
  /** Objects that take any field. */
  const OPEN = new Set(['data', 'webhooks.0.settings', 'fields.0.json_schema']);
  const changes = operations.filter(({ method, body }) => method !== 'GET' && body?.mediaType !== 'application/zip');
  let project: PreparedProject;
  beforeAll(async () => {
    project = await world.newProject();
  });

  /** The body with the field in one of its objects, for each of those: its own, nested ones, and items of lists. */
  function* withField(value: Json, at: string[] = []): Generator<readonly [field: string, body: Json]> {
    if (Array.isArray(value)) {
      const [first, ...others] = value;
      if (first === undefined) return;
      for (const [field, item] of withField(first, [...at, '0'])) yield [field, [item, ...others]];
    } else if (typeof value === 'object' && value !== null) {
      if (OPEN.has(at.join('.'))) return;
      yield [[...at, FIELD].join('.'), { ...value, [FIELD]: 1 }];
      for (const [key, inner] of Object.entries(value))
        for (const [field, changed] of withField(inner, [...at, key])) yield [field, { ...value, [key]: changed }];
    }
  }

  it.each(changes.map((operation) => [operation.id, operation] as const))('by %s', async (id, operation) => {
    const tame = plannedRequests(operation, contract).filter(({ isTame }) => isTame);
    const plans = fc.sample(tame, { seed: seedOf(id), numRuns: 20 });
    const fields = new Set<string>();
    for (const plan of plans) {
      const { body } = plan;
      const sent: Json =
        body.kind === 'json' ? body.value : body.kind === 'raw' ? { url: 'https://a.example/b.png' } : {};
      for (const [field, value] of withField(sent)) {
        if (fields.has(field)) continue;
        fields.add(field);
        const odd = { ...plan, isTame: false, query: '', idempotencyKey: null, body: { kind: 'json' as const, value } };
        const { answer, wrong } = await trial(operation, project, { ...odd, ifMatch: { kind: 'none' } });
        const { errors } = JSON.parse(answer.body.toString()) as { errors?: { field: string; message: string }[] };
        expect([field, answer.status, wrong]).toEqual([field, 422, []]);
        expect(errors).toContainEqual({ field, message: expect.stringContaining('is not a known field') });
      }
    }
  });
});

describe('what the document does not list', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const byPath = Map.groupBy(operations, ({ path }) => path);
  let project: PreparedProject;
  beforeAll(async () => {
    project = await world.newProject();
  });

  const ask = (method: string, { path }: ContractOperation, authorization: string | undefined) => {
    const ids = idsOf(project);
    return sender.send({
      method,
      target: path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? project.blogId),
      headers: authorization === undefined ? {} : { authorization },
      body: null,
    });
  };
  const bearer = (kind: ContractOperation['credential']) =>
    `Bearer ${kind === 'agentKey' ? project.agentKey : world.token}`;

  it.each([...byPath])('other methods of %s are answered 405 with Allow', async (_path, ofPath) => {
    const listed = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const [operation] = ofPath;
    for (const method of METHODS.filter((one) => !listed.includes(one))) {
      const answer = operation && (await ask(method, operation, bearer(operation.credential)));
      expect([method, answer?.status, answer?.headers['allow']?.toString().split(', ').sort()]).toEqual([
        method,
        405,
        listed.toSorted(),
      ]);
    }
  });

  const needing = operations.filter(({ credential }) => credential !== 'none');
  it.each(needing.map((operation) => [operation.id, operation] as const))(
    '%s without its credential is 401',
    async (_id, operation) => {
      const other = bearer(operation.credential === 'agentKey' ? 'ownerSession' : 'agentKey');
      const basic = `Basic ${Buffer.from('owner:password').toString('base64')}`;
      for (const authorization of [undefined, '', 'Bearer', 'Bearer x', `Bearer ${'x'.repeat(5_000)}`, basic, other]) {
        const answer = await ask(operation.method, operation, authorization);
        expect([authorization, answer.status, check(operation, answer)]).toEqual([authorization, 401, []]);
      }
    },
  );
});
