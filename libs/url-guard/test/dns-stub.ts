import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the stub says of one name. */
export interface DnsAnswer {
  /** IPv4 addresses. */
  readonly a?: readonly string[];
  /** IPv6 addresses. */
  readonly aaaa?: readonly string[];
  /** The name is an alias of this one; the addresses are those of the last alias. */
  readonly cname?: readonly string[];
  /** Seconds; 0 by default. */
  readonly ttl?: number;
  /** `NXDOMAIN` is 3, `SERVFAIL` 2, `REFUSED` 5. */
  readonly rcode?: number;
  /** Types that get no answer at all. */
  readonly silent?: readonly ('A' | 'AAAA')[];
  /** Sends these bytes after the question in place of records. */
  readonly garbage?: Buffer;
}

/** A DNS server on the loopback, over UDP and TCP. Names it was told nothing of do not exist. */
export interface DnsStub {
  /** `127.0.0.1:port`. */
  readonly server: string;
  /** Every question so far, as `A name`. */
  readonly questions: readonly string[];
  /**
   * Says what to answer: always the same, or the n-th answer to the n-th question of each type and the last one from
   * then on.
   */
  tell(name: string, ...answers: readonly DnsAnswer[]): void;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const CNAME = 5;
const MAX_DATAGRAM_BYTES = 512;

/** Starts the stub on a free port. */
export async function startDnsStub(): Promise<DnsStub> {
  const table = new Map<string, readonly DnsAnswer[]>();
  const asked = new Map<string, number>();
  const questions: string[] = [];

  const reply = (query: Buffer): Buffer | null => {
    const { name, type, end } = readQuestion(query);
    const wanted = TYPES[type];
    const question = `${wanted ?? type} ${name}`;
    questions.push(question);
    const times = asked.get(question) ?? 0;
    asked.set(question, times + 1);
    const answers = table.get(name) ?? [{ rcode: 3 }];
    const answer = answers[Math.min(times, answers.length - 1)] ?? { rcode: 3 };
    if (wanted !== undefined && answer.silent?.includes(wanted)) return null;
    return encode(query.subarray(0, end), name, wanted, answer);
  };

  const udp = createSocket('udp4', (query, from) => {
    const whole = reply(query);
    if (whole === null) return;
    // Longer answers are asked for again over TCP.
    const answer = whole.length <= MAX_DATAGRAM_BYTES ? whole : truncate(whole, readQuestion(query).end);
    udp.send(answer, from.port, from.address);
  });
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (data) => {
      const whole = reply(data.subarray(2));
      if (whole === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(whole.length);
      socket.write(Buffer.concat([length, whole]));
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');

  return {
    server: `127.0.0.1:${port}`,
    questions,
    tell(name, ...answers) {
      table.set(name, answers);
      for (const type of Object.values(TYPES)) asked.delete(`${type} ${name}`);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => udp.close(resolve)),
      ]);
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encode(question: Buffer, name: string, wanted: 'A' | 'AAAA' | undefined, answer: DnsAnswer): Buffer {
  const ttl = answer.ttl ?? 0;
  const aliases = answer.cname ?? [];
  const owner = aliases.at(-1) ?? name;
  const addresses = (wanted === 'A' ? answer.a : wanted === 'AAAA' ? answer.aaaa : undefined) ?? [];
  const records = [
    ...aliases.map((alias, index) => record(aliases[index - 1] ?? name, CNAME, ttl, encodeName(alias))),
    ...addresses.map((address) => record(owner, wanted === 'A' ? 1 : 28, ttl, bytesOf(address))),
  ];
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (answer.rcode ?? 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answer.garbage === undefined ? records.length : 1, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...(answer.garbage === undefined ? records : [answer.garbage])]);
}

function truncate(whole: Buffer, end: number): Buffer {
  const short = Buffer.from(whole.subarray(0, end));
  short.writeUInt16BE(short.readUInt16BE(2) | 0x0200, 2);
  short.writeUInt16BE(0, 6);
  return short;
}

function record(owner: string, type: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

/** `ipaddr.js` reads `::127.0.0.1` as the mapped form: the two are told apart here. */
function bytesOf(address: string): Buffer {
  const compatible = /^::(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (compatible !== undefined) return Buffer.concat([Buffer.alloc(12), bytesOf(compatible)]);
  return Buffer.from(ipaddr.parse(address).toByteArray());
}
