import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireAnswer } from '../../load/http-request.ts';
import { answerParent } from '../../processes/child.ts';

// The least that a server on `node:http` can do: it answers each request with the next of the given answers.
answerParent(async (answers: readonly WireAnswer[]) => {
  let next = 0;
  const server = createServer((_request, response) => {
    const { status, headers, body } = answers[next] as WireAnswer;
    next = (next + 1) % answers.length;
    response.writeHead(status, headers);
    response.end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port };
});
