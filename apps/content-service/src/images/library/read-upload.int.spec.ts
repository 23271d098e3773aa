import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { limitImagesInMemory, MAX_IN_MEMORY } from '../images-in-memory.ts';
import { createUploadReader, type Upload } from './read-upload.ts';

const FORM = [
  ...['--b', 'Content-Disposition: form-data; name="file"; filename="a.jpg"', 'Content-Type: image/jpeg', ''],
  ...['image', '--b--', ''],
].join('\r\n');
const KINDS = [
  { kind: 'a form', type: 'multipart/form-data; boundary=b', body: FORM },
  { kind: 'raw bytes', type: 'image/jpeg', body: 'image' },
  { kind: 'JSON', type: 'application/json', body: '{"url":"https://images.example/a.jpg"}' },
];
type Kind = (typeof KINDS)[number];

let server: Server;
let arrived: Promise<void>[] = [];
let use: (upload: Upload) => Promise<void>;
beforeAll(async () => {
  const readUpload = createUploadReader(limitImagesInMemory());
  const app = express();
  app.post('/', async (req, res) => {
    // Settled when the service knows that the client has left.
    arrived.push(new Promise((resolve) => res.once('close', () => resolve())));
    await readUpload(req, res, (upload) => use(upload)).then(
      () => res.status(201).end(),
      () => res.status(400).end(),
    );
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function begin({ type, body }: Kind, length = Buffer.byteLength(body)): ClientRequest {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': type, 'content-length': length };
  const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  return sent;
}

async function send(kind: Kind): Promise<number | undefined> {
  const sent = begin(kind).end(kind.body);
  const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

const untilArrived = async (count: number) => {
  while (arrived.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
};

const RAW = KINDS[1]!;

it.each(KINDS)('clients that leave while they wait to send $kind take no slot with them', async (kind) => {
  arrived = [];
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  use = () => held;
  const holders = Array.from({ length: MAX_IN_MEMORY }, () => send(RAW));
  await untilArrived(MAX_IN_MEMORY);
  const leaving = [1, 2, 3, 4].map(() => begin(kind));
  await untilArrived(MAX_IN_MEMORY + leaving.length);
  for (const one of leaving) one.destroy();
  await Promise.all(arrived.slice(MAX_IN_MEMORY));
  letGo();
  expect(new Set(await Promise.all(holders))).toEqual(new Set([201]));
  for (const each of KINDS) expect(await send(each)).toBe(201);
});

it.each(KINDS)('clients that leave while $kind is received take no slot with them', async (kind) => {
  arrived = [];
  use = () => Promise.resolve();
  const leaving = [1, 2].map(() => begin(kind));
  await untilArrived(2);
  for (const one of leaving) one.destroy();
  await Promise.all(arrived);
  for (const each of KINDS) expect(await send(each)).toBe(201);
});
