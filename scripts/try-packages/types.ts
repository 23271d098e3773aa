// Compiled against the packed packages alone: what they declare is what their users see.
import { createClient, type Post } from '@blog-content/client';
import { createReceiver, kvStore, type PostEvent } from '@blog-content/receiver';
import { nodeHandler } from '@blog-content/receiver/node';

const blog = createClient({ baseUrl: 'https://blog.example.com', key: 'pk_live_x' });
export const post: Promise<Post | null> = blog.get('a');
export async function contents(): Promise<string[]> {
  const all: string[] = [];
  for await (const { content } of blog.all({ includeContent: true })) all.push(content);
  for await (const listed of blog.all()) {
    // @ts-expect-error lists have no content unless it is asked for
    void listed.content;
  }
  return all;
}
export const receiver = createReceiver({
  secret: 'a-secret-of-your-own',
  idempotency: kvStore({ get: () => Promise.resolve(null), put: () => Promise.resolve() }),
  onPost: (event: PostEvent) => ({ url: `https://site.example/${event.slug}/` }),
  onUnpublish: ({ blog_id }) => void blog_id,
  onDelete: ({ blog_id }) => void blog_id,
});
export const handler = nodeHandler(receiver);
