import { CommandError, printable, RefusedCall } from './command-error.ts';
import type { Credentials, CredentialStore } from './credentials.ts';

const API = '/blog/api/v1';
const TIMEOUT_MS = 60_000;

/** Calls as the signed-in account. Anything but success is thrown as a CommandError. */
export interface Api {
  readonly kind: Credentials['kind'];
  /** Calls what is beside projects, as an owner: `path` follows `/owner`. */
  readonly owner: (path: string, init?: RequestInit) => Promise<Response>;
  /** @throws CommandError for an agent */
  readonly ownersOnly: () => void;
  /** Calls what belongs to a project, with a path that owners and agents have in common, such as `/blogs`. */
  readonly project: (path: string, init?: RequestInit) => Promise<Response>;
}

interface Session {
  readonly token: string;
  readonly refresh_token: string;
}

/**
 * The API for what is stored. `projectId` is needed by owners only; without it they have to have one project. Once
 * `ended` is aborted, calls fail.
 */
export async function openApi(
  store: CredentialStore,
  projectId: string | undefined,
  ended: AbortSignal = new AbortController().signal,
): Promise<Api> {
  let credentials = await store.load();

  async function send(url: string, init: RequestInit): Promise<Response> {
    const token = credentials.kind === 'owner' ? credentials.token : credentials.key;
    const headers = { ...(init.headers as object), authorization: `Bearer ${token}` };
    return request(url, { ...init, headers }, ended);
  }

  /** Another command may have renewed the session: reusing the old token would end it everywhere. */
  async function hasOthersSession(): Promise<boolean> {
    const kept = await store.load().catch(() => credentials);
    const isOthers =
      kept.kind === 'owner' &&
      credentials.kind === 'owner' &&
      kept.origin === credentials.origin &&
      kept.email === credentials.email &&
      kept.token !== credentials.token;
    if (isOthers) credentials = kept;
    return isOthers;
  }

  /** A session lives for half an hour: the next one is had by its refresh token. */
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const url = credentials.origin + API + path;
    let response = await send(url, init);
    if (response.status === 401 && (await hasOthersSession())) response = await send(url, init);
    if (response.status === 401 && credentials.kind === 'owner') {
      const { origin, refreshToken } = credentials;
      const renewed = await request(`${origin}${API}/owner/session/refresh`, json({ refresh_token: refreshToken }));
      if (!renewed.ok) throw new CommandError('The session has ended. Run "blog sign-in" again.');
      const session = (await renewed.json()) as Session;
      credentials = { ...credentials, token: session.token, refreshToken: session.refresh_token };
      await store.save(credentials);
      response = await send(url, init);
    }
    return checked(response);
  }

  const ownersOnly = () => {
    if (credentials.kind === 'agent') throw new CommandError('Only an owner can do this. Sign in with --email.');
  };
  const owner: Api['owner'] = (path, init) => {
    ownersOnly();
    return call(`/owner${path}`, init);
  };
  let found: string | undefined = projectId;
  return {
    kind: credentials.kind,
    owner,
    ownersOnly,
    async project(path, init) {
      if (credentials.kind === 'agent') return call(`/agent${path}`, init);
      found ??= await onlyProject(owner);
      return owner(`/projects/${found}${path}`, init);
    },
  };
}

async function onlyProject(owner: Api['owner']): Promise<string> {
  const page = (await (await owner('/projects?limit=100')).json()) as { items: { id: string; name: string }[] };
  const [project, ...others] = page.items;
  if (project === undefined) throw new CommandError('You have no projects yet.');
  if (others.length > 0)
    throw new CommandError('You have several projects. Choose one with --project (see "blog projects").');
  return project.id;
}

/** A request with a JSON body. */
export function json(body: object, method = 'POST'): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** One request; any status resolves. It fails once `ended` is aborted. */
export async function request(url: string, init: RequestInit, ended?: AbortSignal): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // An export, which has a signal of its own, takes as long as it takes once it has begun.
    const signal = init.signal ?? (ended === undefined ? timeout : AbortSignal.any([ended, timeout]));
    return await fetch(url, { ...init, signal });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CommandError(
      `${new URL(url).origin} does not respond: ${cause instanceof Error ? cause.message : message}`,
    );
  }
}

/** @throws CommandError with what the service says, when it is no success */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) {
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
    await response.body?.cancel();
    throw new CommandError(`${new URL(response.url).origin} returned a web page. Is this the service’s URL?`);
  }
  const text = await response.text();
  let said = printable(text.slice(0, 200)) || response.statusText;
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      detail?: string;
      errors?: { field: string; message: string }[];
    };
    if (detail !== undefined)
      said = [detail, ...errors.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
  } catch {
    // It is no answer of the service.
  }
  throw new RefusedCall(response.status, `${response.status}: ${said}`);
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** All items of a list, page by page. */
export async function* readAll<Item>(read: (path: string) => Promise<Response>, path: string): AsyncGenerator<Item> {
  const separator = path.includes('?') ? '&' : '?';
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await (await read(`${path}${separator}limit=100${more}`)).json()) as Page<Item>;
    yield* page.items;
    cursor = page.next_cursor;
  }
}
