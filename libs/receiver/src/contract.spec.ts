import * as contract from '@blog-content/payload-schemas';
import { conversation } from '../test/vectors.ts';
import type { DeletedEvent, PingEvent, PostEvent, UnpublishedEvent, WebhookEvent } from './index.ts';

/** True when each type fits the other, to their last field. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
/** A `blog_id` is any text in the receiver's types, and values of `data` are unknown: projects declare them. */
type Body<Name, Fields = Extract<contract.WebhookBody, { event: Name }>> = Flat<
  Omit<Fields, 'event' | 'blog_id' | 'data'> & { event: Name; blog_id: string } & (Fields extends {
      title: string;
      slug: string;
    }
      ? { data?: Record<string, unknown> | undefined }
      : object)
>;
type UnnamedEvent<Event> = Flat<Omit<Event, 'event'> & { event: unknown }>;

describe('the types of the receiver', () => {
  it('are those of the contract: where they differ, this does not compile', () => {
    const same = {
      names: true satisfies Same<WebhookEvent['event'], contract.WebhookEventName>,
      // Both are one type, because receivers treat them the same.
      published: true satisfies Same<
        UnnamedEvent<Omit<PostEvent, 'previous_slug'>>,
        UnnamedEvent<Body<'blog.published'>>
      >,
      updated: true satisfies Same<UnnamedEvent<PostEvent>, UnnamedEvent<Body<'blog.updated'>>>,
      unpublished: true satisfies Same<Flat<UnpublishedEvent>, Body<'blog.unpublished'>>,
      deleted: true satisfies Same<Flat<DeletedEvent>, Body<'blog.deleted'>>,
      ping: true satisfies Same<Flat<PingEvent>, Flat<Extract<contract.WebhookBody, { event: 'test.ping' }>>>,
    };
    expect(Object.values(same)).not.toContain(false);
  });
});

describe('the vectors, by which receivers in other languages are tested too', () => {
  it('have a request of every event that is taken', () => {
    const taken = conversation.requests
      .filter(({ status, body_utf8 }) => status === 200 && !body_utf8.includes('"preview-'))
      .map(({ body_utf8 }) => (JSON.parse(body_utf8) as { event: string }).event);
    const events = contract.webhookBody.options.map(({ shape }) => shape.event.value);
    expect(events.filter((event) => !taken.includes(event))).toEqual([]);
  });
});
