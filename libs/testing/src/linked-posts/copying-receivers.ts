import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { KnownPost } from './changing-posts.ts';

interface Body extends KnownPost {
  readonly event: string;
  readonly blog_id: string;
}

/**
 * Receivers behind one port that do as they should: they keep the posts they are sent, hide those that go, and answer
 * 400 to what they do not know.
 */
export interface CopyingReceivers {
  url(receiver: number): string;
  /** What that receiver has now, by the blog's id. */
  copies(receiver: number): ReadonlyMap<string, KnownPost>;
  /** How many requests came, by event. */
  readonly counts: Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export async function startCopyingReceivers(count: number): Promise<CopyingReceivers> {
  const copies = Array.from({ length: count }, () => new Map<string, KnownPost>());
  const counts: Record<string, number> = {};
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as Body;
    const own = copies[Number(request.url?.slice(1))];
    const isPost = body.event === 'blog.published' || body.event === 'blog.updated';
    const isGone = body.event === 'blog.unpublished' || body.event === 'blog.deleted';
    if (isPost) own?.set(body.blog_id, body);
    if (isGone) own?.delete(body.blog_id);
    counts[body.event] = (counts[body.event] ?? 0) + 1;
    response.writeHead(isPost || isGone ? 200 : 400, { 'content-type': 'application/json' }).end('{"ok":true}');
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (receiver) => `http://127.0.0.1:${port}/${receiver}`,
    copies: (receiver) => copies[receiver] ?? new Map(),
    counts,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
