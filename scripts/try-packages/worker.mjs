// A Worker with both packages: GET reads a post with the client, POST is a webhook.
import { createClient } from '@blog-content/client';
import { createReceiver, memoryStore } from '@blog-content/receiver';

const receiver = createReceiver({
  secret: 'a-secret-of-your-own',
  idempotency: memoryStore(),
  onPost: ({ slug }) => ({ id: slug }),
  onUnpublish: () => undefined,
  onDelete: () => undefined,
});

export default {
  async fetch(request) {
    if (request.method === 'POST') return receiver.fetch(request);
    const baseUrl = new URL(request.url).searchParams.get('api');
    const slugs = [];
    const client = createClient({ baseUrl, key: 'pk_live_try', backoffMs: 10 });
    for await (const { slug } of client.all({ pageSize: 2 })) slugs.push(slug);
    return new Response(slugs.join());
  },
};
