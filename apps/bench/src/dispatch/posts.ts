import { randomUUID } from 'node:crypto';
import { toEnvelope, type EventEnvelope } from '@blog-content/event-log';
import {
  lifecycleTopic,
  servedTopic,
  type BlogPublishedEvent,
  type BlogServedEvent,
} from '@blog-content/payload-schemas';
import { makeParagraphs } from '../read/data-set/data-set.ts';
import { publishedEvent } from '../read/publisher.ts';

const SOURCE = { source: '/bench' };
/** Size of a webhook's body that posts are made for, in bytes. */
const BODY_BYTES = 10_000;
const paragraphs = makeParagraphs(256);

/** A post of about 10 kB with links and images, published once. */
export interface PublishedPost {
  readonly event: BlogPublishedEvent;
  readonly envelope: EventEnvelope;
}

/** Makes posts of one project, each another one. */
export function makePosts(count: number, project: { id: string; trigger: 'manual' | 'autopilot' }): PublishedPost[] {
  return Array.from({ length: count }, (_, index) => {
    const event: BlogPublishedEvent = {
      ...publishedEvent({ projectId: project.id, slug: `post-${index}`, content: contentOf(index) }),
      trigger: project.trigger,
      site_url: 'https://site.example',
      published_link_targets: [{ slug: 'post-0', title: 'Post 0' }],
    };
    return { event, envelope: toEnvelope(lifecycleTopic, event, SOURCE) };
  });
}

/** The read service's word for posts that it serves. */
export function servedEnvelopes(posts: readonly PublishedPost[]): EventEnvelope[] {
  return posts.map(({ event, envelope }) => {
    const served: BlogServedEvent = {
      event: 'blog.served',
      project_id: event.project_id,
      blog_id: event.blog_id,
      blog_event_number: event.blog_event_number,
      lifecycle_event_id: envelope.id,
      served_at: new Date().toISOString(),
    };
    return toEnvelope(servedTopic, served, SOURCE);
  });
}

function contentOf(index: number): string {
  let content = `<h2>Post ${index} ${randomUUID()}</h2><p>Read <a href="[INTERNAL:post-0]">another</a>.</p>`;
  content += `<p><img src="https://cdn.example/${index}.png?a=1&amp;b=2" alt="An image"></p>`;
  for (let at = index; content.length < BODY_BYTES - 800; at += 1) content += paragraphs[at % paragraphs.length] ?? '';
  return content;
}
