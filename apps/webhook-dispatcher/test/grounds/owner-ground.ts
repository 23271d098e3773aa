import { randomUUID } from 'node:crypto';
import { createUrlGuard } from '@blog-content/url-guard';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../running-dispatcher.ts';

/** A secret that is long enough, and a URL that may be saved. */
export const SECRET = 'a secret of at least 16';
export const URL_OK = 'https://receiver.example/hook?token=x';

/** Accounts: an owner and an editor of every project here, and one who is no member. */
export const [owner, editor, stranger] = [randomUUID(), randomUUID(), randomUUID()];

const ADDRESSES: Record<string, string> = { 'receiver.example': '93.184.216.34', 'inside.example': '10.0.0.7' };
const lookup = (name: string) => {
  const address = ADDRESSES[name];
  if (address === undefined) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return Promise.resolve([{ address, family: 4 as const }]);
};

export interface ShownIntegration {
  id: string;
  [field: string]: unknown;
}

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** What owners ask of a dispatcher with the address rules of production, but for the DNS. */
export interface OwnerGround extends AsyncDisposable {
  readonly ground: TestGround;
  readonly dispatcher: RunningDispatcher;
  /** A new project that is known. */
  addProject(): Promise<string>;
}

export async function openOwnerGround(): Promise<OwnerGround> {
  await using resources = new AsyncDisposableStack();
  const ground = resources.use(await prepareTestGround());
  const urlGuard = createUrlGuard({ allowHttp: false, allowedRanges: [] }, { lookup });
  const dispatcher = resources.use(await runDispatcher(ground, { urlGuard }));
  const kept = resources.move();
  return {
    ground,
    dispatcher,
    async addProject() {
      const projectId = randomUUID();
      await addProject(ground, dispatcher, projectId, owner, [editor]);
      return projectId;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Calls about the integrations of the project that `current` names. */
export function webhooksOn(current: () => OwnerGround & { readonly projectId: string }) {
  const webhooks = (path = '') => `/projects/${current().projectId}/webhooks${path}`;
  const create = (body: object, account: string | null = owner) =>
    current().dispatcher.call<ShownIntegration>('POST', webhooks(), account, body);
  return {
    webhooks,
    create,
    created: async (body: object = {}) => {
      const answer = await create({ url: URL_OK, ...body });
      expect(answer.status).toBe(201);
      return answer.body;
    },
    stored: async (id: string) =>
      (await current().ground.query<Record<string, unknown>>('SELECT * FROM integration WHERE id = $1', [id]))[0],
  };
}
