import { whenProjectIsKnown, type OwnerClient } from '@blog-content/local-services';
import { setTimeout as pause } from 'node:timers/promises';
import { makeParagraphs } from '../../read/data-set/data-set.ts';

const POSTS = 60;
const PUBLISHED = 30;
const LONG_POST_CHARACTERS = 100_000;

export interface FilledProject {
  readonly id: string;
  /** A post with about 100 kB of content. */
  readonly longPost: { readonly id: string; readonly content: string };
}

/**
 * Makes a project in use by the API: more posts than a page of a list shows, published to a receiver, and one long
 * post.
 */
export async function fillProject(api: OwnerClient, receiverUrl: string): Promise<FilledProject> {
  const { id } = await api.post<{ id: string }>('projects', { name: 'In use', site_url: 'https://garden.example' });
  const project = `projects/${id}`;
  await whenProjectIsKnown(() => api.post(`${project}/webhooks`, { name: 'Website', url: receiverUrl }));
  await whenProjectIsKnown(() => api.post(`${project}/public-key`));
  await api.post(`${project}/agent-keys`, { name: 'Writing agent' });
  const content = makeLongContent();
  const longPost = await api.post<{ id: string }>(`${project}/blogs`, { title: 'A long post', content });
  const paragraphs = makeParagraphs(POSTS);
  for (const [number, paragraph] of paragraphs.entries()) {
    const post = { title: `Post ${number} of the garden`, content: paragraph, keyword: 'garden', tags: ['soil'] };
    const { id: blogId } = await api.post<{ id: string }>(`${project}/blogs`, post);
    if (number < PUBLISHED) await api.post(`${project}/blogs/${blogId}/publish`);
  }
  await whenDelivered(api, id);
  return { id, longPost: { id: longPost.id, content } };
}

/** What is still under way would disturb what is measured. */
async function whenDelivered(api: OwnerClient, projectId: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(100)) {
    const { items } = await api.get<{ items: { status: string }[] }>(`projects/${projectId}/publishes?limit=100`);
    if (items.length >= PUBLISHED && items.every(({ status }) => status !== 'pending')) return;
  }
  throw new Error('The posts were not delivered within a minute.');
}

/** Headings, paragraphs with emphasis and links, lists and tables, as a long guide has them. */
function makeLongContent(characters = LONG_POST_CHARACTERS): string {
  let html = '';
  const paragraphs = makeParagraphs(400);
  for (let at = 0; html.length < characters && at + 3 < paragraphs.length; at += 4) {
    const [first = '', second = '', third = '', fourth = ''] = paragraphs.slice(at, at + 4);
    const words = third.replace(/<[^>]*>/g, '').split(' ');
    const item = (from: number) => `<li><p>${words.slice(from, from + 12).join(' ')}</p></li>`;
    html +=
      `<h2>Section ${at / 4 + 1}</h2>${first}` +
      `<p>${second.slice(3, 200)} <strong>which matters</strong>, as <a href="https://garden.example/${at}">others say</a>.</p>` +
      `<ul>${item(0)}${item(12)}${item(24)}</ul>${fourth}`;
    if (at % 32 === 0) {
      const row = (tag: string) => `<tr>${[0, 1, 2].map((n) => `<${tag}><p>${words[n]}</p></${tag}>`).join('')}</tr>`;
      html += `<table><thead>${row('th')}</thead><tbody>${row('td').repeat(4)}</tbody></table>`;
    }
  }
  return html;
}
