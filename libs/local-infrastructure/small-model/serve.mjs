// A small language model behind an OpenAI-compatible endpoint: `node serve.mjs <folder of the files> <port>`. It writes
// grammatical nonsense, in the form that is asked for: what clients are tried with is the protocol, not the content.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', port = ''] = process.argv.slice(2);
const runtime = pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js'));
const { getLlama, LlamaChatSession } = await import(runtime.href);
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_TOKENS = 512;
const CONTEXT_TOKENS = 4_096;
/** Characters of a prompt that certainly leave room in the context for an answer. */
const MAX_PROMPT_CHARACTERS = 6_000;

const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath: join(folder, 'model.gguf') });
// One thread: several of them wait for each other in loops, which takes minutes on a busy machine.
const context = await model.createContext({ contextSize: CONTEXT_TOKENS, sequences: 1, threads: 1 });

/** One answer at a time: there is one context. */
let last = Promise.resolve();
const oneAtATime = (run) => (last = last.then(run, run));

async function readJson(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) throw new Error('Request too large.');
  }
  return JSON.parse(text);
}

/** The schema of the answer, or none. */
const grammarOf = (format) => {
  if (format?.type === 'json_schema') return llama.createGrammarForJsonSchema(format.json_schema.schema);
  return format?.type === 'json_object' ? llama.getGrammarFor('json') : undefined;
};

async function complete({ messages, max_tokens, max_completion_tokens, response_format, temperature }, signal) {
  const textOf = (wanted) =>
    messages
      .filter(({ role }) => (role === 'system' || role === 'developer') === wanted)
      .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')))
      .join('\n');
  const sequence = context.getSequence();
  try {
    const systemPrompt = textOf(true).slice(0, MAX_PROMPT_CHARACTERS / 2);
    const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt });
    const limit = Math.min(MAX_TOKENS, max_completion_tokens ?? max_tokens ?? MAX_TOKENS);
    const { responseText, stopReason } = await session.promptWithMeta(
      textOf(false).slice(0, MAX_PROMPT_CHARACTERS / 2),
      {
        maxTokens: limit,
        grammar: await grammarOf(response_format),
        temperature: temperature ?? 0,
        repeatPenalty: { penalty: 1.2 },
        signal,
      },
    );
    const { usedInputTokens: prompt_tokens, usedOutputTokens: completion_tokens } = sequence.tokenMeter;
    return {
      choice: {
        index: 0,
        message: { role: 'assistant', content: responseText, refusal: null },
        finish_reason: stopReason === 'maxTokens' ? 'length' : 'stop',
      },
      usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    };
  } finally {
    sequence.dispose();
  }
}

const server = createServer(async (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    if (request.method === 'GET' && request.url === '/v1/models') {
      answer(200, { object: 'list', data: [{ id: 'smollm2-135m-instruct', object: 'model' }] });
      return;
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      answer(404, { error: { message: 'Endpoint not found.', type: 'invalid_request_error' } });
      return;
    }
    const asked = await readJson(request);
    const id = `chatcmpl-${Date.now()}`;
    const head = { id, created: Math.floor(Date.now() / 1000), model: asked.model ?? 'smollm2-135m-instruct' };
    const { choice, usage } = await oneAtATime(() => {
      left.signal.throwIfAborted();
      return complete(asked, left.signal);
    });
    if (asked.stream !== true) {
      answer(200, { ...head, object: 'chat.completion', choices: [choice], usage });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const { index, message, finish_reason } = choice;
    const send = (part) =>
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...part })}\n\n`);
    send({ choices: [{ index, delta: message, finish_reason: null }] });
    send({ choices: [{ index, delta: {}, finish_reason }] });
    send({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  } catch (error) {
    if (left.signal.aborted || response.headersSent) response.destroy();
    else answer(500, { error: { message: error.message, type: 'server_error' } });
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
