import { notFound, UNEXPECTED_DETAIL, type Logger } from '@blog-content/service-runtime';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { buildServer } from './build-server.ts';

const SECRET = 'connect ECONNREFUSED 10.0.0.7:5432, database blog, user content';

/** A client of a server whose posts cannot be had. */
async function clientOf(error: Error) {
  const logged: unknown[] = [];
  const noted: Record<string, string> = {};
  const fail = () => Promise.reject(error);
  const logger = { error: (_event: string, fields: unknown) => logged.push(fields) } as unknown as Logger;
  const server = buildServer(
    { tools: [], writing: { list: fail, find: fail }, version: '1.0.0' },
    {
      caller: { projectId: randomUUID(), id: randomUUID(), accountId: randomUUID(), trigger: 'autopilot' },
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

it('what goes wrong on our side while resources are read is logged, and agents are not told what it was', async () => {
  const error = new Error(SECRET);
  const { answers, logged } = await clientOf(error);
  for (const answer of answers) {
    expect(answer).toContain(UNEXPECTED_DETAIL);
    expect(answer).not.toContain('ECONNREFUSED');
  }
  expect(logged).toEqual([{ error }, { error }, { error }]);
});

it('a resource that is refused says why, in the words of the HTTP API', async () => {
  const { answers, logged, noted } = await clientOf(notFound('No such blog.'));
  for (const answer of answers) expect(answer).toContain('No such blog.');
  expect(logged).toEqual([]);
  expect(noted['error_code']).toBe(notFound('').code);
});
