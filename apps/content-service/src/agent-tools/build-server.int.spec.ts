import { notFound, type Logger } from '@blog-content/service-runtime';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { buildServer, type ServerParts } from './build-server.ts';
import { defineTool } from './tool.ts';

const SECRET = 'connect ECONNREFUSED 10.0.0.7:5432, database blog, user content';

/** A client of a server of its own whose posts cannot be had. */
async function connect(error: Error, tools: ServerParts['tools'] = []) {
  const logged: unknown[] = [];
  const noted: Record<string, string> = {};
  const fail = () => Promise.reject(error);
  const logger = { error: (_event: string, fields: unknown) => logged.push(fields) } as unknown as Logger;
  const server = buildServer(
    { tools, writing: { list: fail, find: fail }, version: '1.0.0' },
    {
      caller: {
        projectId: randomUUID(),
        id: randomUUID(),
        accountId: randomUUID(),
        trigger: 'autopilot',
        permission: 'full',
      },
      isSuspended: false,
      requestId: 'request-1',
      logger,
      note: (name, value) => {
        noted[name] = value;
      },
    },
  );
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await server.connect(ofServer);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(ofClient);
  return { client, logged, noted };
}

async function answersOf(error: Error) {
  const { client, logged, noted } = await connect(error);
  const said = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing went wrong',
      (thrown: unknown) => String(thrown),
    );
  const answers = [
    await said(client.listResources()),
    await said(client.readResource({ uri: `post://${randomUUID()}` })),
    await said(client.readResource({ uri: `post://${randomUUID()}/html` })),
  ];
  await client.close();
  return { answers, logged, noted };
}

it('internal errors while resources are read are logged and hidden from agents', async () => {
  const error = new Error(SECRET);
  const { answers, logged } = await answersOf(error);
  for (const answer of answers) {
    expect(answer).toContain(
      'Internal error. Try again in a few seconds. If it persists, report request ID request-1.',
    );
    expect(answer).not.toContain('ECONNREFUSED');
  }
  expect(logged).toEqual([{ error }, { error }, { error }]);
});

it('a refused resource gives the reason of the HTTP API', async () => {
  const { answers, logged, noted } = await answersOf(notFound('Post not found.'));
  for (const answer of answers) expect(answer).toContain('Post not found.');
  expect(logged).toEqual([]);
  expect(noted['error_code']).toBe(notFound('').code);
});

it('the input of a tool is described once, however often the tools are listed', async () => {
  const input = z.object({});
  let described = 0;
  input._zod.toJSONSchema = () => {
    described += 1;
    return { type: 'object', title: 'What it takes' };
  };
  const about = { name: 'do_it', title: 'Do it', description: 'Does it.' };
  const kind = { changes: 'nothing', idempotent: true, permission: 'draft' } as const;
  const output = z.object({});
  const tools = [defineTool({ ...about, ...kind, input, output, run: () => Promise.resolve({}) })];
  for (let time = 0; time < 3; time += 1) {
    const { client } = await connect(new Error(SECRET), tools);
    expect((await client.listTools()).tools).toMatchObject([{ inputSchema: { title: 'What it takes' } }]);
    await client.close();
  }
  expect(described).toBe(1);
});
