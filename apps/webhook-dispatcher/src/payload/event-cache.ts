import { type VisibilityEvent, showsBlog, type ShowingEvent } from '@blog-content/payload-schemas';
import {
  buildPayload,
  chooseEvent,
  encodePayload,
  type PayloadContext,
  previousSlug,
  type RenderedContent,
  renderContent,
} from './build-payload.ts';

/** A lifecycle event as its deliveries need it. */
export interface KnownEvent {
  /** When it happened. */
  readonly time: Date;
  readonly traceparent: string | null;
  readonly data: VisibilityEvent;
}

/** Most events that are kept, and most characters of their contents: all receivers of a publish get the same one. */
const MAX_EVENTS = 512;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What a link target comes to, about. */
const CHARACTERS_OF_A_TARGET = 100;

export type EventCache = ReturnType<typeof createEventCache>;

/**
 * A cache of lifecycle events, so that a claim need not load the event of each delivery. Events never change, so
 * nothing in it becomes stale.
 */
export function createEventCache() {
  // Oldest first.
  const kept = new Map<string, KnownEvent>();
  let characters = 0;
  return {
    /** Keeps an event; the oldest make room for it. */
    keep(id: string, event: KnownEvent): void {
      if (kept.has(id)) return;
      kept.set(id, event);
      characters += sizeOf(event.data);
      for (const [oldest, { data }] of kept) {
        if (kept.size <= MAX_EVENTS && characters <= MAX_CHARACTERS) break;
        kept.delete(oldest);
        characters -= sizeOf(data);
      }
    },
    get: (id: string): KnownEvent | undefined => kept.get(id),
  };
}

function sizeOf(event: VisibilityEvent): number {
  return showsBlog(event)
    ? event.revision.content.length + CHARACTERS_OF_A_TARGET * event.published_link_targets.length
    : 0;
}

/** Larger values are kept only while an attempt holds them: the event cache counts what authors wrote. */
const MAX_KEPT_BYTES = 32 * 1024;
/** Most events that wait to be rendered ahead: each keeps its post in memory. */
const MAX_AHEAD = 250;

export type BodyCache = ReturnType<typeof createBodyCache>;

/** Makes what several receivers get once, for as long as its event is in memory. */
export function createBodyCache() {
  const contents = new WeakMap<ShowingEvent['revision'], RenderedContent | WeakRef<RenderedContent>>();
  const bodies = new WeakMap<VisibilityEvent, Map<string, Uint8Array | WeakRef<Uint8Array>>>();

  const render = (event: ShowingEvent): RenderedContent => {
    const known = strong(contents.get(event.revision));
    if (known !== undefined) return known;
    const rendered = renderContent(event);
    contents.set(event.revision, rendered.content.length <= MAX_KEPT_BYTES ? rendered : new WeakRef(rendered));
    return rendered;
  };

  const ahead: ShowingEvent[] = [];
  const prepareNext = () => {
    const event = ahead.shift();
    if (event === undefined) return;
    try {
      render(event);
    } catch {
      // The delivery meets it again, and says so.
    }
    if (ahead.length > 0) setImmediate(prepareNext);
  };

  return {
    /** The body for one receiver: the bytes to sign and to send. */
    build(event: VisibilityEvent, context: PayloadContext): Uint8Array {
      const ofEvent = bodies.get(event) ?? new Map<string, Uint8Array | WeakRef<Uint8Array>>();
      const isSameForAll = !context.retries;
      const name = chooseEvent(event.event, context.receiverHasBlog);
      const before = showsBlog(event) ? previousSlug(event.revision.slug, context).previous_slug : undefined;
      const key = `${name} ${before ?? ''} ${isSameForAll ? '' : context.attempt} ${(context.fields ?? []).join()}`;
      const known = strong(ofEvent.get(key));
      if (known !== undefined) return known;
      const body = encodePayload(buildPayload(event, context, render));
      ofEvent.set(key, isSameForAll && body.byteLength <= MAX_KEPT_BYTES ? body : new WeakRef(body));
      bodies.set(event, ofEvent);
      return body;
    },

    /**
     * Renders the contents of these events ahead of their deliveries, which wait for the acknowledgement meanwhile. One
     * event per iteration of the event loop over all calls, so that other work is not held up; what comes while many
     * wait is left to its delivery.
     */
    prepare: (events: readonly VisibilityEvent[]): void => {
      const isIdle = ahead.length === 0;
      ahead.push(...events.filter(showsBlog).slice(0, MAX_AHEAD - ahead.length));
      if (isIdle && ahead.length > 0) setImmediate(prepareNext);
    },
  };
}

function strong<Value extends object>(known: Value | WeakRef<Value> | undefined): Value | undefined {
  return known instanceof WeakRef ? known.deref() : known;
}
