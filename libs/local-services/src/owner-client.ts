import got, { HTTPError, type Got } from 'got';

/** A call to the owner API that was refused; the message holds the problem's detail. */
export class OwnerApiError extends Error {
  override readonly name = 'OwnerApiError';
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** Calls the owner API with an owner's session. Answers are the parsed JSON; paths are below `/blog/api/v1/owner/`. */
export interface OwnerClient {
  readonly token: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
  patch<T>(path: string, body: object): Promise<T>;
  upload<T>(path: string, bytes: Buffer, type: string): Promise<T>;
  /** The same session with the token that follows; the one before stays valid until it expires. */
  renew(): Promise<OwnerClient>;
}

interface Session {
  readonly token: string;
  readonly refresh_token: string;
}

const CALL_TIMEOUT_MS = 30_000;
/** A Kafka that has just started takes more than a minute to find its coordinators on a machine that is busy. */
const KNOWN_WITHIN_MS = 180_000;
const POLL_MS = 25;

/** Signs the owner in. Calls are made once: who wants a retry makes it. */
export async function signIn(origin: string, email: string, password: string): Promise<OwnerClient> {
  const api = got.extend({
    prefixUrl: `${origin}/blog/api/v1/owner`,
    retry: { limit: 0 },
    timeout: { request: CALL_TIMEOUT_MS },
  });
  return clientOf(api, await call<Session>(api, 'POST', 'session', { email, password }));
}

function clientOf(api: Got, { token, refresh_token }: Session): OwnerClient {
  const signedIn = api.extend({ headers: { authorization: `Bearer ${token}` } });
  return {
    token,
    get: (path) => call(signedIn, 'GET', path),
    post: (path, body) => call(signedIn, 'POST', path, body),
    put: (path, body) => call(signedIn, 'PUT', path, body),
    patch: (path, body) => call(signedIn, 'PATCH', path, body),
    upload: (path, bytes, type) => send(signedIn, 'POST', path, { body: bytes, headers: { 'content-type': type } }),
    renew: async () => clientOf(api, await call<Session>(api, 'POST', 'session/refresh', { refresh_token })),
  };
}

/**
 * Repeats a call while it answers 404: a service learns of a new project from the topic, a moment after it was made.
 */
export async function whenProjectIsKnown<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const notYet = error instanceof OwnerApiError && error.status === 404 && Date.now() < deadline;
      if (!notYet) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

const call = <T>(api: Got, method: Method, path: string, json?: object) => send<T>(api, method, path, json && { json });

async function send<T>(
  api: Got,
  method: Method,
  path: string,
  content?: { readonly json: object } | { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
): Promise<T> {
  try {
    const answer = await api(path, { method, ...content });
    return JSON.parse(answer.body) as T;
  } catch (error) {
    if (!(error instanceof HTTPError)) throw error;
    throw new OwnerApiError(error.response.statusCode, `${method} ${path}: ${detailOf(error.response.body)}`);
  }
}

function detailOf(body: unknown): string {
  try {
    return (JSON.parse(String(body)) as { detail: string }).detail;
  } catch {
    return String(body).slice(0, 200);
  }
}
