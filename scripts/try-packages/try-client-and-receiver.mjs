// Runs in a project that has only the packed packages, on each runtime: argument 1 is a server that answers like the
// public API, 2 a file with a body, 3 its signature, 4 the secret.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { BlogApiError, createClient, memoryCache } from '@blog-content/client';
import { fileCache } from '@blog-content/client/file-cache';
import { createReceiver, memoryStore } from '@blog-content/receiver';
import { fastifyReceiver } from '@blog-content/receiver/fastify';
import { nodeHandler } from '@blog-content/receiver/node';

const [baseUrl, bodyFile, signature, secret] = process.argv.slice(2);

function check(what, isRight) {
  if (!isRight) throw new Error(`Not so: ${what}.`);
}

for (const cache of [memoryCache(), fileCache('cache')]) {
  const blog = createClient({ baseUrl, key: 'pk_live_try', cache, backoffMs: 10 });
  for (const build of ['the first build', 'the next build']) {
    const slugs = [];
    for await (const { slug } of blog.all({ pageSize: 2 })) slugs.push(slug);
    check(`all posts come once in ${build}`, slugs.join() === 'e,d,c,b,a');
  }
  check('returns null for an unknown post', (await blog.get('not-there')) === null);
  const refused = await blog.list({ category: 'refused' }).catch((error) => error);
  check('a refusal is an error with a status', refused instanceof BlogApiError && refused.status === 401);
}

const posts = [];
const receiver = createReceiver({
  secret,
  idempotency: memoryStore(),
  onPost: (post) => ({ id: String(posts.push(post)) }),
  onUnpublish: () => undefined,
  onDelete: () => undefined,
});
const body = await readFile(bodyFile);
const deliver = (headers) => receiver.fetch(new Request('http://receiver.example/', { method: 'POST', body, headers }));
check('a forged request is 401', (await deliver({})).status === 401);
for (const attempt of ['first', 'second']) {
  const answer = await deliver({ 'x-webhook-signature': signature });
  check(`a post is taken on the ${attempt} attempt`, answer.status === 200 && (await answer.json()).id === '1');
}
check('a repeat is not taken again', posts.length === 1);
check('adapters load', typeof nodeHandler(receiver) === 'function' && typeof fastifyReceiver(receiver) === 'function');
