import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the receivers' process can be asked. */
export type ReceiversQuestion =
  /** Opens so many receivers on loopback: answers with their URLs. */
  | { readonly kind: 'open'; readonly count: number }
  /** Forgets what has arrived. */
  | { readonly kind: 'forget' }
  /** How many requests have arrived: a number. */
  | { readonly kind: 'count' }
  /** Every {@link Arrival} since they were last forgotten. */
  | { readonly kind: 'arrivals' }
  /** The receiver of this index gives no answer for so long, in milliseconds; 0 lets it answer immediately again. */
  | { readonly kind: 'hang'; readonly receiver: number; readonly forMs: number };

/** The first bytes of one request to one receiver. */
export interface Arrival {
  readonly receiver: number;
  /** Out of the body. */
  readonly blogId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\nKeep-Alive: timeout=5\r\n\r\n{"ok":true}',
);
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Receivers on bare sockets: the measured service must fill its own core before these fill theirs. Each notes when a
 * request's first bytes came, reads the body to its end and answers 200.
 */
export function startReceivers(): { answer(question: ReceiversQuestion): Promise<unknown> } {
  const servers: Server[] = [];
  const hangingMs: number[] = [];
  let arrivals: Arrival[] = [];

  const connected = (receiver: number, socket: Socket) => {
    let head: Buffer | undefined;
    let missing = 0;
    let arrivedAt = 0;
    const answerNow = () => {
      const hangMs = hangingMs[receiver] ?? 0;
      if (hangMs === 0) socket.write(ANSWER);
      else setTimeout(() => socket.writable && socket.write(ANSWER), hangMs);
    };
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (missing <= 0) answerNow();
        return;
      }
      if (head === undefined) arrivedAt = performance.timeOrigin + performance.now();
      const seen = head === undefined ? chunk : Buffer.concat([head, chunk]);
      const end = seen.indexOf(HEAD_END);
      // Enough of the body to find the blog's id in.
      const length =
        end < 0 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(seen.toString('latin1', 0, end))?.[1] ?? 0);
      const body = end + HEAD_END.length;
      if (end < 0 || seen.length < body + Math.min(length, 200)) {
        head = seen;
        return;
      }
      head = undefined;
      const blogId = /"blog_id":"([^"]+)"/.exec(seen.toString('latin1', body, body + 200))?.[1] ?? '';
      arrivals.push({ receiver, blogId, at: arrivedAt });
      missing = length - (seen.length - body);
      if (missing <= 0) answerNow();
    });
  };

  const open = async (receiver: number): Promise<string> => {
    const server = createServer((socket) => {
      connected(receiver, socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  return {
    async answer(question) {
      switch (question.kind) {
        case 'open':
          return Promise.all(Array.from({ length: question.count }, (_, index) => open(servers.length + index)));
        case 'forget':
          arrivals = [];
          return null;
        case 'count':
          return arrivals.length;
        case 'arrivals':
          return arrivals;
        case 'hang':
          hangingMs[question.receiver] = question.forMs;
          return null;
      }
    },
  };
}
