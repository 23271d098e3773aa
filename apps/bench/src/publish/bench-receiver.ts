import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver that does nothing but note when a blog's first request reached it. */
export async function startBenchReceiver(): Promise<{
  url: string;
  /** When (ms since the epoch) the first byte about the blog arrived; waits for it. */
  firstByteOf(blogId: string, timeoutMs: number): Promise<number>;
  close(): Promise<void>;
}> {
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const arrivedAt = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
      const { blog_id: blogId } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { blog_id?: string };
      if (blogId === undefined || arrivals.has(blogId)) return;
      arrivals.set(blogId, arrivedAt);
      waiting.get(blogId)?.(arrivedAt);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    firstByteOf(blogId, timeoutMs) {
      const arrived = arrivals.get(blogId);
      if (arrived !== undefined) return Promise.resolve(arrived);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no delivery of ${blogId} in ${timeoutMs} ms`)), timeoutMs);
        waiting.set(blogId, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      });
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
