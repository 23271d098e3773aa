import { type Receiver, type ReceiverAnswer, startReceiver } from '@blog-content/testing';

/** A website under the test's control: it has the pages that were put there, and 404 for all others. */
export interface TestSite extends AsyncDisposable {
  readonly url: string;
  readonly receiver: Receiver;
  /** What the site answers at a path: a page's text, or something else. */
  put(path: string, page: string | ReceiverAnswer): void;
  remove(path: string): void;
  /** How often a path was asked for. */
  looksAt(path: string): number;
}

export async function startTestSite(): Promise<TestSite> {
  const pages = new Map<string, ReceiverAnswer>();
  const receiver = await startReceiver({
    respond: ({ path }) => pages.get(path) ?? { status: 404, body: 'Not found' },
  });
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    receiver,
    put: (path, page) => {
      pages.set(path, typeof page === 'string' ? { body: page } : page);
    },
    remove: (path) => {
      pages.delete(path);
    },
    looksAt: (path) => receiver.requests.filter((request) => request.path === path).length,
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}
