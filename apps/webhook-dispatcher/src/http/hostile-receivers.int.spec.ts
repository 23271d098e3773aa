import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '@blog-content/testing';
import { type RawReceiver, type SpeaksAfter, startRawReceiver, type Talk } from '../../test/raw-receiver.ts';
import { prepareSecureGround, type ReceiverProject, type SecureGround } from '../../test/grounds/secure-ground.ts';

const CRLF = '\r\n';
const OK = 'HTTP/1.1 200 OK\r\n';
const SWITCH = `HTTP/1.1 101 Switching${CRLF}Upgrade: h2c${CRLF}Connection: Upgrade${CRLF}${CRLF}`;
const URL_BODY = '{"url":"https://site.example/tea"}';

/** A dispatcher, and a receiver that says what it is told to say. */
interface HostileGround {
  readonly on: SecureGround;
  readonly raw: RawReceiver;
  readonly project: ReceiverProject;
}
const prepareHostileGround = async (deadlineMs: number): Promise<HostileGround> => {
  const on = await prepareSecureGround({ DELIVERY_TIMEOUT_MS: String(deadlineMs), DELIVERY_MAX_ATTEMPTS: '2' });
  const raw = await startRawReceiver(on.certificate);
  return { on, raw, project: await on.newProject({ url: on.urlOf(raw.port) }) };
};

/** Waits long enough for a machine that is busy. */
let patient: HostileGround;
/** For what ends at the deadline. */
let impatient: HostileGround;
const groundFor = ({ reason }: ExpectedDelivery) => (reason === 'timeout' ? impatient : patient);
const both = () => [patient, impatient];
beforeAll(async () => {
  patient = await prepareHostileGround(10_000);
  impatient = await prepareHostileGround(1_000);
});
afterEach(() => Promise.all(both().map(({ raw }) => raw.cut())));
afterAll(async () => {
  for (const { raw, on } of both()) {
    await raw.close();
    await on[Symbol.asyncDispose]();
  }
});

/** Answers with these bytes and ends. */
const says =
  (...parts: readonly (string | Uint8Array)[]): Talk =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
/** Answers with these bytes and leaves the connection open. */
const saysAndWaits =
  (...parts: readonly (string | Uint8Array)[]): Talk =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };
/** Breaks off after these bytes. */
const saysAndResets =
  (text: string): Talk =>
  (socket, reset) =>
    void socket.write(text, () => setTimeout(reset, 20));
/** Says this over and over, for as long as anyone listens. */
const repeats =
  (text: string, everyMs: number, first = ''): Talk =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(text), everyMs);
    socket.once('close', () => clearInterval(timer));
  };
/** Says this over and over, as fast as it is taken. */
const floods =
  (chunk: string | Uint8Array, first: string): Talk =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pour);
    socket.write(first);
    pour();
  };
const resets: Talk = (_socket, reset) => reset();
const length = (body: string | Uint8Array) => `Content-Length: ${body.length}${CRLF}`;

interface ExpectedDelivery {
  readonly outcome: 'succeeded' | 'failed';
  readonly reason?: 'status' | 'timeout' | 'network' | null;
  readonly status_code?: number | null;
  readonly live_url?: string | null;
}
const SUCCESS: ExpectedDelivery = { outcome: 'succeeded', reason: null, status_code: 200, live_url: null };
const WITH_URL: ExpectedDelivery = { ...SUCCESS, live_url: 'https://site.example/tea' };
const TIMEOUT: ExpectedDelivery = { outcome: 'failed', reason: 'timeout', status_code: null };
const NETWORK: ExpectedDelivery = { outcome: 'failed', reason: 'network', status_code: null };
const status = (status_code: number): ExpectedDelivery => ({ outcome: 'failed', reason: 'status', status_code });

type Case = [what: string, talk: Talk, expected: ExpectedDelivery, after?: SpeaksAfter];
const bomb = gzipSync(Buffer.alloc(20_000_000));
const chunked = `${OK}Transfer-Encoding: chunked${CRLF}${CRLF}`;

const cases: Readonly<Record<string, readonly Case[]>> = {
  'a body that is too much (“read up to 64 kB; more than that still counts by its status”)': [
    ['a gzip bomb', says(OK, 'Content-Encoding: gzip', CRLF, length(bomb), CRLF, bomb), SUCCESS],
    ['a bomb within a bomb', says(OK, 'Content-Encoding: gzip, gzip', CRLF, CRLF, gzipSync(bomb)), SUCCESS],
    ['an endless body', floods(Buffer.alloc(65_536, 'x'), `${OK}${CRLF}`), SUCCESS],
    ['an endless chunked body', floods(`1000${CRLF}${'x'.repeat(4_096)}${CRLF}`, chunked), SUCCESS],
    ['an endless body after a 500', floods(Buffer.alloc(65_536, 'x'), `HTTP/1.1 500 No${CRLF}${CRLF}`), status(500)],
    [
      'JSON with a url, over 64 kB long',
      says(OK, CRLF, `{"fill":"${'x'.repeat(70_000)}","url":"https://a.example/"}`),
      SUCCESS,
    ],
    ['JSON nested a hundred thousand deep', says(OK, CRLF, '['.repeat(30_000), ']'.repeat(30_000)), SUCCESS],
    [
      'a chunk that says it is larger than memory',
      saysAndWaits(chunked, `FFFFFFFFFFFF${CRLF}`, 'x'.repeat(70_000)),
      SUCCESS,
    ],
  ],
  'slowness (“30 s is a deadline for the whole exchange”)': [
    ['no answer', () => undefined, TIMEOUT],
    ['a head byte by byte', repeats('x', 100, `${OK}X-Slow: `), TIMEOUT],
    ['a header every moment', repeats(`X-More: 1${CRLF}`, 100, OK), TIMEOUT],
    ['a body byte by byte', repeats('x', 100, `${OK}Content-Length: 100000${CRLF}${CRLF}`), TIMEOUT],
    ['a body without an end, byte by byte', repeats('x', 100, `${OK}${CRLF}`), TIMEOUT],
    ['chunks of one byte', repeats(`1${CRLF}x${CRLF}`, 100, chunked), TIMEOUT],
    ['a promised body that does not come', saysAndWaits(OK, `Content-Length: 10${CRLF}${CRLF}`, 'half'), TIMEOUT],
    ['a connection that is kept open though nothing more comes', saysAndWaits(OK, CRLF, '{}'), TIMEOUT],
  ],
  'a connection that breaks': [
    ['reset before the answer', resets, NETWORK],
    ['closed before the answer', (socket) => socket.end(), NETWORK],
    ['closed as soon as it is open', (socket) => socket.end(), NETWORK, 'connection'],
    ['reset as soon as it is open', resets, NETWORK, 'connection'],
    ['reset within the status line', saysAndResets('HTTP/1.1 20'), NETWORK],
    ['reset within the headers', saysAndResets(`${OK}Content-Le`), NETWORK],
    ['closed within the headers', says(`${OK}Content-Le`), NETWORK],
    ['reset within the body', saysAndResets(`${OK}Content-Length: 100${CRLF}${CRLF}half`), NETWORK],
    ['closed within the body', says(OK, `Content-Length: 100${CRLF}${CRLF}half`), NETWORK],
    ['closed within a chunk', says(chunked, `64${CRLF}half`), NETWORK],
    ['closed before the last chunk', says(chunked, `2${CRLF}{}${CRLF}`), NETWORK],
  ],
  'interim answers': [
    ['an unexpected 100', says(`HTTP/1.1 100 Continue${CRLF}${CRLF}`, OK, length(URL_BODY), CRLF, URL_BODY), WITH_URL],
    [
      'a few of them',
      says(`HTTP/1.1 100 Continue${CRLF}${CRLF}`.repeat(16), OK, length(URL_BODY), CRLF, URL_BODY),
      WITH_URL,
    ],
    [
      'many of them',
      says(`HTTP/1.1 100 Continue${CRLF}${CRLF}`.repeat(500), OK, length(URL_BODY), CRLF, URL_BODY),
      NETWORK,
    ],
    ['one after the other, without end', repeats(`HTTP/1.1 103 Hints${CRLF}${CRLF}`, 10), NETWORK],
    ['a flood of them', floods(`HTTP/1.1 103 Hints${CRLF}Link: </x>${CRLF}${CRLF}`.repeat(1_000), ''), NETWORK],
    [
      'a 100 before the request was read',
      says(`HTTP/1.1 100 Continue${CRLF}${CRLF}`, OK, length('{}'), CRLF, '{}'),
      SUCCESS,
      'head',
    ],
    [
      '102 and 103',
      says(
        `HTTP/1.1 102 Wait${CRLF}${CRLF}HTTP/1.1 103 Hints${CRLF}Link: </x>; rel=preload${CRLF}${CRLF}`,
        OK,
        length('{}'),
        CRLF,
        '{}',
      ),
      SUCCESS,
    ],
    [
      'an interim answer and then an error',
      says(`HTTP/1.1 100 Continue${CRLF}${CRLF}HTTP/1.1 409 No${CRLF}${CRLF}`),
      status(409),
    ],
    ['a switch of protocols, which is final', saysAndWaits(SWITCH), status(101)],
    ['nothing but an interim answer', says(`HTTP/1.1 100 Continue${CRLF}${CRLF}`), NETWORK],
  ],
  'an answer before the request was read': [
    ['a success', says(OK, length(URL_BODY), CRLF, URL_BODY), WITH_URL, 'head'],
    ['a success before a byte of it', says(OK, length('{}'), CRLF, '{}'), SUCCESS, 'connection'],
    ['a refusal', says(`HTTP/1.1 413 Too large${CRLF}Content-Length: 0${CRLF}${CRLF}`), status(413), 'head'],
  ],
  headers: [
    ['a hundred', says(OK, `X-More: 1${CRLF}`.repeat(100), length('{}'), CRLF, '{}'), SUCCESS],
    [
      'one of 60 kB, and a body',
      says(OK, `X-Long: ${'x'.repeat(61_440)}${CRLF}`, length(URL_BODY), CRLF, URL_BODY),
      WITH_URL,
    ],
    ['sixty of 1 kB', says(OK, `X-More: ${'x'.repeat(1_000)}${CRLF}`.repeat(60), length('{}'), CRLF, '{}'), SUCCESS],
    [
      'one of 60 kB, and too much of a body (“more than that still counts by its status”)',
      says(OK, `X-Long: ${'x'.repeat(61_440)}${CRLF}`, CRLF, `{"fill":"${'x'.repeat(9_000)}"}`),
      SUCCESS,
    ],
    ['one of 64 kB', says(OK, `X-Long: ${'x'.repeat(65_536)}${CRLF}`, CRLF, '{}'), NETWORK],
    ['without end', floods(`X-More: ${'x'.repeat(1_000)}${CRLF}`, OK), NETWORK],
    ['a name without end', floods('x'.repeat(4_096), OK), NETWORK],
    ['a value with a bare control character', says(OK, `X-Odd: a\u0000b${CRLF}${CRLF}{}`), NETWORK],
    ['a line without a colon', says(OK, `nonsense${CRLF}${CRLF}{}`), NETWORK],
    ['bytes that are no ASCII', says(OK, Buffer.from('X-Caf\u00e9: \u00e9\r\n', 'latin1'), CRLF, '{}'), NETWORK],
    ['a value in Latin-1', says(OK, Buffer.from('X-Name: \u00e9\r\n', 'latin1'), length('{}'), CRLF, '{}'), SUCCESS],
  ],
  framing: [
    [
      'HTTP/1.0, the end of the connection being the end of the body',
      says(`HTTP/1.0 200 OK${CRLF}${CRLF}${URL_BODY}`),
      WITH_URL,
    ],
    ['HTTP/1.0 with a length', says(`HTTP/1.0 200 OK${CRLF}`, length(URL_BODY), CRLF, URL_BODY), WITH_URL],
    ['HTTP/1.1 without a length', says(OK, CRLF, URL_BODY), WITH_URL],
    [
      'trailers after the last chunk',
      says(chunked, `22${CRLF}${URL_BODY}${CRLF}0${CRLF}X-Trailer: 1${CRLF}${CRLF}`),
      WITH_URL,
    ],
    ['a chunk extension', says(chunked, `22;a=b${CRLF}${URL_BODY}${CRLF}0${CRLF}${CRLF}`), WITH_URL],
    ['a chunk size that is none', says(chunked, `xyz${CRLF}{}${CRLF}0${CRLF}${CRLF}`), NETWORK],
    ['a negative chunk size', says(chunked, `-2${CRLF}{}${CRLF}0${CRLF}${CRLF}`), NETWORK],
    [
      'more bytes than the length says',
      says(OK, `Content-Length: 34${CRLF}${CRLF}${URL_BODY}HTTP/1.1 500 Second answer${CRLF}${CRLF}`),
      WITH_URL,
    ],
    [
      'something else after the length',
      says(OK, `Content-Length: 34${CRLF}${CRLF}${URL_BODY}<!-- 12 ms -->`),
      { outcome: 'succeeded', status_code: 200 },
    ],
    [
      'a length beside chunks',
      says(OK, `Transfer-Encoding: chunked${CRLF}Content-Length: 2${CRLF}${CRLF}0${CRLF}${CRLF}`),
      NETWORK,
    ],
    ['two lengths', says(OK, `Content-Length: 2${CRLF}Content-Length: 3${CRLF}${CRLF}{}`), NETWORK],
    ['a negative length', says(OK, `Content-Length: -1${CRLF}${CRLF}{}`), NETWORK],
    ['a length that is no number', says(OK, `Content-Length: 0x2${CRLF}${CRLF}{}`), NETWORK],
    [
      'a body after a 204',
      says(`HTTP/1.1 204 No content${CRLF}`, length(URL_BODY), CRLF, URL_BODY),
      { ...SUCCESS, status_code: 204 },
    ],
    ['a body after a 304', says(`HTTP/1.1 304 Not modified${CRLF}`, length(URL_BODY), CRLF, URL_BODY), status(304)],
    ['no reason in the status line', says(`HTTP/1.1 200${CRLF}`, length('{}'), CRLF, '{}'), SUCCESS],
  ],
  'something that is not HTTP': [
    ['HTTP/0.9', says('<html>ok</html>'), NETWORK],
    ['HTTP/2', says(Buffer.from('00000004000000000000000401000000000000', 'hex')), NETWORK],
    ['another protocol', says('220 mail.example ESMTP\r\n'), NETWORK],
    ['an HTTP request', says(`GET / HTTP/1.1${CRLF}Host: localhost${CRLF}${CRLF}`), NETWORK],
    ['a status of two digits', says(`HTTP/1.1 20 OK${CRLF}${CRLF}`), NETWORK],
    ['a status of four digits', says(`HTTP/1.1 2000 OK${CRLF}${CRLF}`), NETWORK],
    ['a negative status', says(`HTTP/1.1 -200 OK${CRLF}${CRLF}`), NETWORK],
    ['a protocol of its own', says(`HTTP/9.9 200 OK${CRLF}${CRLF}`), NETWORK],
    ['zeros', says(Buffer.alloc(10_000)), NETWORK],
  ],
};

describe.each(Object.entries(cases))('§4.4, §7.2: %s:', (_group, rows) => {
  it.each([...rows])('%s', async (_what, talk, expected, after = 'body') => {
    const { on, raw, project } = groundFor(expected);
    raw.talkWith(talk, after);
    const [outcome] = await on.deliver(project.blog.published());
    expect(outcome).toMatchObject({ ...expected, attempts: 1 });
    // The receiver may keep sending, but nothing listens any more.
    await eventually(() => expect(raw.open).toBe(0));
  });
});

describe('§7.2: what an autopilot retries', () => {
  it.each<[string, Talk, number, (() => HostileGround)?]>([
    ['a connection that breaks', resets, 2],
    ['something that is not HTTP', says('220 mail.example ESMTP\r\n'), 2],
    ['slowness', repeats('x', 100, `${OK}${CRLF}`), 2, () => impatient],
    ['an endless body after a 200, not at all', floods(Buffer.alloc(65_536, 'x'), `${OK}${CRLF}`), 1],
    ['an endless body after a 404, not at all', floods(Buffer.alloc(65_536, 'x'), `HTTP/1.1 404 No${CRLF}${CRLF}`), 1],
    ['an endless body after a 502', floods(Buffer.alloc(65_536, 'x'), `HTTP/1.1 502 No${CRLF}${CRLF}`), 2],
    [
      'a switch of protocols, not at all',
      says(`HTTP/1.1 101 Switching${CRLF}Upgrade: h2c${CRLF}Connection: Upgrade${CRLF}${CRLF}`),
      1,
    ],
  ])('%s', async (_what, talk, attempts, ground = () => patient) => {
    const { on, raw, project } = ground();
    raw.talkWith(talk);
    const spoken = raw.spoken;
    const [outcome] = await on.deliver(project.blog.published({ trigger: 'autopilot' }));
    expect(outcome).toMatchObject({ attempts });
    expect(raw.spoken - spoken).toBe(attempts);
  });
});

describe('§7.2: before HTTP begins', () => {
  /** A receiver without TLS. */
  const withPlain = async (talk: (socket: Socket) => void, use: (port: number) => Promise<void>): Promise<void> => {
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      talk(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use((server.address() as AddressInfo).port);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };

  it.each<[string, (socket: Socket) => void, ExpectedDelivery]>([
    ['a handshake that never comes', () => undefined, TIMEOUT],
    ['a handshake that stops after a byte', (socket) => void socket.on('data', () => socket.write('\u0016')), TIMEOUT],
    ['plain HTTP in place of it', (socket) => void socket.end(`HTTP/1.1 200 OK${CRLF}${CRLF}`), NETWORK],
    ['a connection closed immediately', (socket) => void socket.end(), NETWORK],
    ['a connection reset immediately', (socket) => void socket.resetAndDestroy(), NETWORK],
  ])('%s', async (_what, talk, expected) => {
    const { on } = groundFor(expected);
    await withPlain(talk, async (port) => {
      const { blog } = await on.newProject({ url: on.urlOf(port) });
      expect(await on.deliver(blog.published())).toMatchObject([expected]);
    });
  });
});

it('a large body is delivered whole, and a receiver that does not read it delays no other', async () => {
  const { on, raw, project } = patient;
  const content = `<p>${'é'.repeat(200_000)}</p>`;
  raw.talkWith((socket) => void socket.pause(), 'head');
  const event = project.blog.published({ revision: { content } });
  await on.ground.append(event);
  const { blog } = await on.newProject();
  expect(await on.deliver(blog.published({ revision: { content } }))).toMatchObject([{ outcome: 'succeeded' }]);
  expect(on.requestsOf(blog.id)).toMatchObject([{ signature: 'valid' }]);
  expect(on.requestsOf(blog.id)[0]?.json()).toMatchObject({ content });
  expect(await on.ground.finished(event.id)).toMatchObject([{ outcome: 'failed', reason: 'timeout' }]);
});

it('a cookie that a receiver sets is not sent back', async () => {
  const { on } = patient;
  on.receiver.respondWith(() => ({ headers: { 'set-cookie': 'session=1; Path=/', 'alt-svc': 'h2="127.0.0.1:1"' } }));
  const { blog } = await on.newProject();
  await on.deliver(blog.published());
  await on.deliver(blog.published());
  expect(on.requestsOf(blog.id)).toHaveLength(2);
  for (const { headers } of on.requestsOf(blog.id)) expect(headers).not.toHaveProperty('cookie');
});

it('leaves nothing in flight or waiting after all of them', async () => {
  for (const { on } of both()) {
    await eventually(async () =>
      expect(await on.ground.query(`SELECT 1 FROM delivery WHERE status IN ('pending', 'in_flight')`)).toEqual([]),
    );
  }
});
