import type { ReceivedRequest, ReceiverAnswer } from '@blog-content/testing';

/** What a model with the OpenAI API streams. */
export function streamed(content: object): ReceiverAnswer {
  const piece = (part: object) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', ...part })}\n\n`;
  const body = [
    piece({
      choices: [{ index: 0, delta: { role: 'assistant', content: JSON.stringify(content) }, finish_reason: null }],
    }),
    piece({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    piece({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 10 } }),
    'data: [DONE]\n\n',
  ].join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

/** What a model makes of the texts that it is asked to translate. */
export function translated({ body }: ReceivedRequest, translate: (text: string) => string): ReceiverAnswer {
  const { messages } = JSON.parse(body.toString()) as { messages: readonly { content: string }[] };
  const [, json = '[]'] = /^DATA [0-9a-f]{16} the texts\n(.*)$/m.exec(messages[1]?.content ?? '') ?? [];
  const texts = JSON.parse(json) as readonly { number: number; text: string }[];
  return streamed({ texts: texts.map(({ number, text }) => ({ number, text: translate(text) })) });
}
