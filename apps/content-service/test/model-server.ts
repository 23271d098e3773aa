import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the model's server gets it. */
export interface AskedModel {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly max_tokens: number;
    readonly stream?: boolean;
    readonly stream_options?: { readonly include_usage?: boolean };
    readonly response_format: { readonly type: string; readonly json_schema?: { readonly name: string } };
  };
  /** What is asked for: by the schema, or by what the task says. */
  readonly form: string;
}

export type AnswerModel = (asked: AskedModel, response: ServerResponse) => unknown;

/** An OpenAI-compatible server that answers as a test says. */
export interface ModelServer extends AsyncDisposable {
  /** Up to `/v1`. */
  readonly url: string;
  readonly asked: AskedModel[];
  /** How it answers from now on. */
  answer: AnswerModel;
}

const USAGE = { prompt_tokens: 100, completion_tokens: 50 };

/** A chat completion with that content. */
export const completion = (content: unknown, more: object = {}) => ({
  id: 'x',
  object: 'chat.completion',
  created: 0,
  model: 'test-model',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) },
    },
  ],
  usage: USAGE,
  ...more,
});

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The events of a chat completion with that content, in pieces; the last one says what it took. */
export function eventsOf(content: unknown, { usage = USAGE }: { readonly usage?: object | null } = {}): string[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const event = (part: object) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'test-model', ...part })}\n\n`;
  const piece = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }], usage: null });
  return [
    piece({ role: 'assistant', content: '' }),
    ...(text.match(/[^]{1,40}/gu) ?? []).map((part) => piece({ content: part })),
    piece({}, 'stop'),
    ...(usage ? [event({ choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ];
}

export const startStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

/** Answers as it was asked to: piece by piece. */
export function sendStream(response: ServerResponse, content: unknown, more: { readonly usage?: object | null } = {}) {
  startStream(response);
  for (const event of eventsOf(content, more)) response.write(event);
  response.end();
}

export const paragraph = (text: string, sources: number[] = []) => ({
  kind: 'paragraph',
  text,
  items: [],
  rows: [],
  sources,
});

/** What a good model says. */
export const GOOD: Readonly<Record<string, unknown>> = {
  outline: {
    title: 'Green tea at home',
    sections: [
      { heading: 'Water', points: ['80 degrees'] },
      { heading: 'Leaves', points: ['fresh'] },
    ],
  },
  section: { blocks: [paragraph('Green tea likes water of 80 degrees.', [1])] },
  meta: {
    excerpt: 'How to make green tea.',
    meta_title: 'Green tea',
    meta_description: 'How to make green tea at home.',
    keyword: 'green tea',
    categories: [],
    tags: [],
  },
};

/** What a model makes of the numbered texts that it is asked to translate. */
export function translationOf({ body }: AskedModel, translate = (text: string) => `${text} (fr)`): object {
  const [, json = '[]'] = /^DATA [0-9a-f]{16} the texts\n(.*)$/m.exec(body.messages[1]?.content ?? '') ?? [];
  const texts = JSON.parse(json) as readonly { readonly number: number; readonly text: string }[];
  return { texts: texts.map(({ number, text }) => ({ number, text: translate(text) })) };
}

export const answerWell: AnswerModel = (asked, response) => {
  sendStream(response, asked.form === 'translation' ? translationOf(asked) : GOOD[asked.form]);
};

export async function startModelServer(): Promise<ModelServer> {
  const asked: AskedModel[] = [];
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as AskedModel['body'];
    const prompt = body.messages?.[1]?.content ?? '';
    const byTask = /Make the outline/.test(prompt) ? 'outline' : /Write the section/.test(prompt) ? 'section' : 'meta';
    const form = body.response_format?.json_schema?.name ?? byTask;
    const got = { path: request.url ?? '', authorization: request.headers.authorization, body, form };
    asked.push(got);
    await modelServer.answer(got, response);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const modelServer: ModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: answerWell,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return modelServer;
}
