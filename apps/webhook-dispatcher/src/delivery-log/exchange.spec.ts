import {
  describeAnswer,
  describeExchange,
  MAX_ANSWER_HEADER_CHARACTERS,
  MAX_ANSWER_HEADERS,
  MAX_ANSWER_START_BYTES,
  storedExchange,
} from './exchange.ts';
import { fingerprint } from '../integrations/integration-secrets.ts';
import type { Outcome } from '../http/exchange.ts';

const timings = { firstByteMs: 9, answerMs: 12, dnsMs: 1, connectMs: 2, tlsMs: 6, waitMs: 3, totalMs: 13 };
const request = {
  url: 'https://receiver.example:8443/hook',
  headers: { 'user-agent': 'Us/1', 'X-Site': 'a credential', 'content-type': 'application/json' },
  body: Buffer.from('{"event":"test.ping"}'),
  connection: 'close',
} as const;
const answered: Outcome = {
  kind: 'answered',
  statusCode: 200,
  retryAfter: null,
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from('fine'),
  timings,
};
const prepared = {
  request,
  customHeaders: { 'x-site': 'a credential' },
  sealedHeaders: 'sealed',
  secret: 'a secret of at least 16',
};
const asItIs = (text: string) => text;
const startOf = (body: Uint8Array) => describeAnswer({ headers: [], body }, asItIs).start;

describe('an exchange in the log', () => {
  it('has the service’s headers, those of the HTTP client too, the fingerprints of the rest, and the phases', () => {
    const exchange = describeExchange(prepared, answered, 'of the body');
    expect(exchange).toEqual({
      request: {
        headers: [
          ['host', 'receiver.example:8443'],
          ['connection', 'close'],
          ['content-length', '21'],
          ['user-agent', 'Us/1'],
          ['content-type', 'application/json'],
        ],
        custom: fingerprint('sealed'),
        body: 'of the body',
        bytes: 21,
      },
      answer: { headers: [['Content-Type', 'text/plain']], start: 'fine', isWhole: true },
      timings: { dns: 1, connect: 2, tls: 6, firstByte: 3, total: 13 },
    });
    expect(storedExchange.parse(JSON.parse(JSON.stringify(exchange)))).toEqual(exchange);
  });

  it('has no custom header in the clear, because they hold credentials', () => {
    expect(JSON.stringify(describeExchange(prepared, answered, null))).not.toContain('credential');
  });

  it('has no response where there was none, and does not exist where nothing was sent', () => {
    expect(describeExchange(prepared, { kind: 'timeout', limitMs: 1, timings }, null)).toMatchObject({ answer: null });
    expect(describeExchange(prepared, { kind: 'interrupted' }, null)).toBeNull();
  });
});

describe('an answer in the log', () => {
  it('is the first 2 kB of the body', () => {
    const whole = Buffer.alloc(MAX_ANSWER_START_BYTES, 'x');
    expect(describeAnswer({ headers: [], body: whole }, asItIs)).toEqual({
      headers: [],
      start: whole.toString(),
      isWhole: true,
    });
    const longer = Buffer.alloc(MAX_ANSWER_START_BYTES + 1, 'x');
    expect(describeAnswer({ headers: [], body: longer }, asItIs)).toEqual({
      headers: [],
      start: whole.toString(),
      isWhole: false,
    });
  });

  it('does not end with the first part of a secret', () => {
    const secret = 's3cr3t'.repeat(2);
    const body = Buffer.from(`${secret} `.repeat(100));
    const { start } = describeAnswer({ headers: [], body }, (text) => text.replaceAll(secret, '••••'));
    expect(start).toMatch(/^(?:•••• )+•*$/);
  });

  it('has no secret in a header’s name or value', () => {
    const headers: [string, string][] = [
      ['X-Echo', 'of s3cr3t'],
      ['X-s3cr3t', 'on'],
      ['Date', 'today'],
    ];
    const answer = describeAnswer({ headers, body: Buffer.alloc(0) }, (text) => text.replaceAll('s3cr3t', '••••'));
    expect(answer.headers).toEqual([
      ['X-Echo', 'of ••••'],
      ['X-••••', 'on'],
      ['Date', 'today'],
    ]);
  });

  it('is text for any bytes: no NUL, no control character, no half of a character', () => {
    expect(startOf(Buffer.from('a\0b\x1b[31mc\td\r\ne'))).toBe('a\uFFFDb\uFFFD[31mc\td\r\ne');
    expect(startOf(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\uFFFDb');
    expect(startOf(Buffer.concat([Buffer.alloc(MAX_ANSWER_START_BYTES - 1, 'x'), Buffer.from('é')]))).toBe(
      'x'.repeat(MAX_ANSWER_START_BYTES - 1),
    );
  });

  it('has at most 100 header fields of at most 16 kB in all', () => {
    const headers = (count: number, length: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [`x-${index}`, 'v'.repeat(length)]);
    const kept = (all: [string, string][]) => describeAnswer({ headers: all, body: Buffer.alloc(0) }, asItIs).headers;
    expect(kept(headers(150, 1))).toHaveLength(MAX_ANSWER_HEADERS);
    const characters = kept(headers(50, 1_000)).flat().join('').length;
    expect(characters).toBeGreaterThan(MAX_ANSWER_HEADER_CHARACTERS - 1_100);
    expect(characters).toBeLessThanOrEqual(MAX_ANSWER_HEADER_CHARACTERS);
    expect(kept([['x', 'a\0b']])).toEqual([['x', 'a\uFFFDb']]);
  });
});
