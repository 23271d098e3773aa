import type { Receiver } from '../create-receiver.ts';

interface Request {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}
interface Reply {
  code(status: number): { send(body: unknown): unknown };
}

/** A scope of Fastify, whose overloads no shorter type describes. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser: (...given: never[]) => unknown;
  post: (...given: never[]) => unknown;
}

/** What this needs of it. */
interface UsedScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: Request, reply: Reply) => Promise<unknown>): unknown;
}

/**
 * A plugin: `app.register(fastifyReceiver(receiver), { prefix: '/webhook' })`. Within it bodies stay raw bytes; the
 * rest of the application keeps its parsers.
 */
export function fastifyReceiver(receiver: Receiver) {
  return function blogWebhook(given: FastifyScope, _options: unknown, done: () => void): void {
    const scope: UsedScope = given;
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: receiver.maxBodyBytes } as const;
    scope.addContentTypeParser('*', options, (_request, body, parsed) => parsed(null, body));
    scope.post('/', async (request, reply) => {
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const { status, body } = await receiver.receive(bytes, (name) => {
        const value = request.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      });
      return reply.code(status).send(body);
    });
    done();
  };
}
