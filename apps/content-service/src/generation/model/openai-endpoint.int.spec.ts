import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { z } from 'zod';
import {
  completion,
  eventsOf,
  sendJson,
  sendStream,
  startModelServer,
  startStream,
  type ModelServer,
} from '../../../test/model-server.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { createOpenAiEndpoint } from './openai-endpoint.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
});

const CONTENT = { text: 'Grüner Tee, 80 degrees. '.repeat(20) };
const LONG_MS = 300_000;
const NOW = new Date('2026-03-01T12:00:00Z');

function ask({ timeoutMs = LONG_MS, silenceMs = LONG_MS, signal = new AbortController().signal, more = {} } = {}) {
  const limits = { maxAnswerBytes: 100_000, maxStreamBytes: 8_000_000 };
  const endpoint = createOpenAiEndpoint({
    baseUrl: server.url,
    apiKey: 'key',
    model: 'm',
    imageModel: null,
    timeoutMs,
    clock: () => NOW,
    learned: { wayIndex: 0, limitName: 'max_tokens' },
    fetch: createBoundedFetch({ guarded: null, timeoutMs, silenceMs, ...limits }),
  });
  return endpoint.ask({
    messages: [{ role: 'user', content: 'Tea?' }],
    name: 'tea',
    schema: z.object({ text: z.string() }),
    format: 'schema',
    isStreamed: true,
    maxTokens: 100,
    signal,
    ...more,
  });
}

const answer = (misbehave: (response: ServerResponse) => unknown) => {
  server.answer = (_asked, response) => misbehave(response);
};

/** Sends something again and again until the client leaves. */
const drip = (response: ServerResponse, piece: string) => {
  const timer = setInterval(() => response.write(piece), 20);
  response.once('close', () => {
    clearInterval(timer);
  });
};

const [OPENING = '', FIRST = ''] = eventsOf(CONTENT);

describe('a model’s answer', () => {
  const whole = { text: JSON.stringify(CONTENT), isCut: false, usage: { input: 100, output: 50 } };
  const streamed = { ...whole, model: 'test-model', streamed: true };

  it('is asked for as a stream that ends with its usage, and put together from its pieces', async () => {
    answer((response) => sendStream(response, CONTENT));
    expect(await ask()).toEqual(streamed);
    expect(server.asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('is put together wherever its bytes are parted', async () => {
    const bytes = Buffer.from(eventsOf(CONTENT).join(''));
    answer(async (response) => {
      startStream(response).socket?.setNoDelay(true);
      for (let at = 0; at < bytes.length; at += 97) {
        response.write(bytes.subarray(at, at + 97));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect(await ask()).toEqual(streamed);
  });

  it('is taken from plain JSON, too, of a server that does not know streams', async () => {
    answer((response) => {
      sendJson(response, completion(CONTENT));
    });
    expect(await ask()).toEqual({ ...streamed, streamed: false });
  });

  it('is taken without a word of what it took, where the stream has none', async () => {
    answer((response) => sendStream(response, CONTENT, { usage: null }));
    expect(await ask()).toEqual({ ...streamed, usage: null });
  });

  it('is asked for with the newer name of its limit where a server wants that, for the OpenAI models that reason', async () => {
    server.answer = ({ body }, response) => {
      if (!('max_tokens' in body)) return sendStream(response, CONTENT);
      const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
      return sendJson(response, { error: { message, type: 'invalid_request_error', param: 'max_tokens' } }, 400);
    };
    expect(await ask()).toEqual(streamed);
    expect(server.asked.map(({ body }) => body)).toMatchObject([{ max_tokens: 100 }, { max_completion_tokens: 100 }]);
  });

  it('says that it was cut at the most tokens', async () => {
    answer((response) => startStream(response).end(eventsOf(CONTENT).join('').replace('"stop"', '"length"')));
    expect((await ask()).isCut).toBe(true);
  });

  it('may have more events than an answer has bytes, wherever their ends are cut', async () => {
    answer(async (response) => {
      startStream(response);
      for (let event = 0; event < 300; event += 1) {
        response.write(`: ${'x'.repeat(1_000)}\n`);
        await nextTurn();
        response.write('\n');
      }
      response.end(eventsOf(CONTENT).join(''));
    });
    expect(await ask()).toEqual(streamed);
  });

  it('is put together though comments and empty events stand between its pieces', async () => {
    answer((response) => startStream(response).end(`: busy\n\ndata: {"choices":[]}\n\n${eventsOf(CONTENT).join('')}`));
    expect(await ask()).toEqual(streamed);
  });
});

describe('a model’s server', () => {
  it.each<[string, string, (response: ServerResponse) => unknown]>([
    ['cuts its stream', 'unavailable', (r) => startStream(r).write(OPENING + FIRST, () => r.destroy())],
    ['ends its stream before its answer', 'unavailable', (r) => startStream(r).end(OPENING + FIRST)],
    ['streams nothing', 'unavailable', (r) => startStream(r).end()],
    [
      'has trouble in its stream',
      'unavailable',
      (r) => startStream(r).end(`${OPENING}data: {"error":{"message":"no memory"}}\n\n`),
    ],
    ['streams no JSON', 'unusable', (r) => startStream(r).end(`${OPENING}data: <html>\n\n`)],
    ['streams 10 MB in pieces', 'unusable', (r) => startStream(r).end(FIRST.repeat(10_000_000 / FIRST.length))],
    [
      'streams a text of 2 MB',
      'unusable',
      (r) =>
        startStream(r).end(
          eventsOf('x')
            .join('')
            .replace('"content":"x"', `"content":"${'x'.repeat(2_000_000)}"`),
        ),
    ],
    [
      'streams more in one event than an answer may have',
      'unusable',
      (r) =>
        startStream(r).end(
          eventsOf('x')
            .join('')
            .replace('"content":"x"', `"content":"${'x'.repeat(200_000)}"`),
        ),
    ],
    ['streams 10 MB in one piece', 'unusable', (r) => startStream(r).end(`data: ${'x'.repeat(10_000_000)}`)],
    ['answers 10 MB', 'unusable', (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(1e7))],
    [
      'cuts its answer',
      'unavailable',
      (r) => r.writeHead(200, { 'content-length': '1000' }).write('{', () => r.destroy()),
    ],
    ['answers no JSON', 'unusable', (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('<html>')],
    ['answers something else', 'unusable', (r) => sendJson(r, { choices: [{ message: { content: 7 } }] })],
    [
      'answers with far too many values',
      'unusable',
      (r) => sendJson(r, completion(CONTENT, { more: Array.from({ length: 10_000 }, () => 0) })),
    ],
    ['answers nothing', 'unusable', (r) => r.writeHead(204).end()],
  ])('that %s is %s, and may have to be paid', async (_what, kind, misbehave) => {
    answer(misbehave);
    await expect(ask()).rejects.toMatchObject({ fault: { kind, mayBeCharged: true } });
  });

  it.each([
    ['in seconds', '30', 30_000],
    ['as a date', 'Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['until a date that is over', 'Sun, 01 Mar 2026 11:59:00 GMT', null],
    ['for a while', 'a while', null],
  ])('is waited for as long as it asks to %s, by our clock', async (_how, given, retryAfterMs) => {
    answer((response) => sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after': given }));
    await expect(ask()).rejects.toMatchObject({ fault: { kind: 'rate_limited', retryAfterMs } });
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['answers nothing', () => undefined],
    ['drips a stream', (r) => drip(startStream(r), FIRST)],
    ['drips JSON', (r) => drip(r.writeHead(200, { 'content-type': 'application/json' }), ' ')],
  ])('that %s is left when the time of a request is over', async (_what, misbehave) => {
    answer(misbehave);
    const left = serverIsLeft();
    await expect(ask({ timeoutMs: 500 })).rejects.toMatchObject({ fault: { kind: 'timeout', mayBeCharged: true } });
    await left;
  });

  it('that falls silent within its answer is left long before', async () => {
    answer((response) => startStream(response).write(OPENING + FIRST));
    const left = serverIsLeft();
    await expect(ask({ silenceMs: 200 })).rejects.toMatchObject({ fault: { kind: 'timeout', mayBeCharged: true } });
    await left;
  });

  it('may think before its first word for longer than it may be silent within its answer', async () => {
    answer((response) => setTimeout(() => sendStream(response, CONTENT), 600));
    expect((await ask({ silenceMs: 300 })).text).toBe(JSON.stringify(CONTENT));
  });

  it('is left at once in the middle of its answer when that is cancelled', async () => {
    const cancel = new AbortController();
    answer((response) => {
      startStream(response).write(OPENING + FIRST, () => setTimeout(() => cancel.abort(new Error('cancelled')), 50));
    });
    const left = serverIsLeft();
    await expect(ask({ signal: cancel.signal })).rejects.toThrow('cancelled');
    await left;
  });
});

/** Once the next request's connection has closed before its answer has ended. */
async function serverIsLeft(): Promise<void> {
  const { answer: misbehave } = server;
  let isLeft = false;
  server.answer = (asked, response) => {
    response.once('close', () => {
      isLeft = !response.writableFinished;
    });
    return misbehave(asked, response);
  };
  await eventually(() => expect(isLeft).toBe(true));
}
