import { startReceiver, type Receiver, type ReceiverAnswer } from '@blog-content/testing';

/** A ping as it came. */
export interface Ping {
  readonly host: string;
  readonly key: string;
  readonly keyLocation: string;
  readonly urlList: readonly string[];
}

/**
 * The recorded contract of IndexNow: a server that answers as https://www.indexnow.org/documentation says, because no
 * test can have a search engine. Like one it fetches the key file from the site.
 */
export interface IndexNowStandIn extends AsyncDisposable {
  readonly url: string;
  readonly receiver: Receiver;
  /** Those that were accepted. */
  readonly accepted: readonly Ping[];
  /** Answers the next pings with these, and takes nothing of them. */
  answerNext(...answers: readonly ReceiverAnswer[]): void;
}

export async function startIndexNowStandIn(): Promise<IndexNowStandIn> {
  const accepted: Ping[] = [];
  const given: ReceiverAnswer[] = [];
  const receiver = await startReceiver({
    respond: async (request) => {
      const answer = given.shift();
      if (answer !== undefined) return answer;
      if (request.method !== 'POST' || request.path !== '/indexnow') return { status: 404 };
      if (request.headers['content-type'] !== 'application/json; charset=utf-8') return { status: 400 };
      const ping = request.json<Ping>();
      const status = await statusOf(ping);
      if (status === 200) accepted.push(ping);
      return { status, body: '' };
    },
  });
  return {
    url: `http://127.0.0.1:${receiver.port}/indexnow`,
    receiver,
    accepted,
    answerNext: (...answers) => {
      given.push(...answers);
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/**
 * 400: invalid format. 403: key not found, or not in the file. 422: addresses of another host, or a key of another
 * form.
 */
async function statusOf({ host, key, keyLocation, urlList }: Ping): Promise<number> {
  if (!Array.isArray(urlList) || urlList.length === 0 || urlList.length > 10_000) return 400;
  if (!/^[a-zA-Z0-9-]{8,128}$/.test(key)) return 422;
  const folder = new URL('.', keyLocation).href;
  if ([keyLocation, ...urlList].some((url) => new URL(url).host !== host || !url.startsWith(folder))) return 422;
  const file = await fetch(keyLocation);
  return file.status === 200 && (await file.text()).trim() === key ? 200 : 403;
}
