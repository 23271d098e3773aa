import { type LifecycleEvent, showsBlog, type ShowingEvent } from '@blog-content/payload-schemas';
import {
  buildPayload,
  chooseEvent,
  encodePayload,
  type PayloadContext,
  type RenderedContent,
  renderContent,
} from './build-payload.ts';

/** Makes what several receivers get once, for as long as its event is in memory. */
export interface BodyCache {
  /** The body for one receiver: the bytes to sign and to send. */
  build(event: LifecycleEvent, context: PayloadContext): Uint8Array;
  /**
   * Renders the contents of these events ahead of their deliveries, which wait for the acknowledgement meanwhile. One
   * event a turn, so that other work is not held up.
   */
  prepare(events: readonly LifecycleEvent[]): void;
}

/** Larger values are kept only while an attempt holds them: the event cache counts what authors wrote. */
const MAX_KEPT_BYTES = 32 * 1024;

export function createBodyCache(): BodyCache {
  const contents = new WeakMap<ShowingEvent['revision'], RenderedContent | WeakRef<RenderedContent>>();
  const bodies = new WeakMap<LifecycleEvent, Map<string, Uint8Array | WeakRef<Uint8Array>>>();

  const render = (event: ShowingEvent): RenderedContent => {
    const known = strong(contents.get(event.revision));
    if (known !== undefined) return known;
    const rendered = renderContent(event);
    contents.set(event.revision, rendered.content.length <= MAX_KEPT_BYTES ? rendered : new WeakRef(rendered));
    return rendered;
  };

  return {
    build(event, context) {
      const ofEvent = bodies.get(event) ?? new Map<string, Uint8Array | WeakRef<Uint8Array>>();
      const isSameForAll = event.trigger === 'manual';
      const name = chooseEvent(event.event, context.receiverHasBlog);
      const key = isSameForAll ? name : `${name} ${context.attempt}`;
      const known = strong(ofEvent.get(key));
      if (known !== undefined) return known;
      const body = encodePayload(buildPayload(event, context, render));
      ofEvent.set(key, isSameForAll && body.byteLength <= MAX_KEPT_BYTES ? body : new WeakRef(body));
      bodies.set(event, ofEvent);
      return body;
    },

    prepare(events) {
      const waiting = events.filter(showsBlog).values();
      const prepareNext = () => {
        const { value: event, done } = waiting.next();
        if (done) return;
        try {
          render(event);
        } catch {
          // The delivery meets it again, and says so.
        }
        setImmediate(prepareNext);
      };
      setImmediate(prepareNext);
    },
  };
}

function strong<Value extends object>(known: Value | WeakRef<Value> | undefined): Value | undefined {
  return known instanceof WeakRef ? known.deref() : known;
}
