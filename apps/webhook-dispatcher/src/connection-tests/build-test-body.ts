import { buildPayload, encodePayload } from '../payload/build-payload.ts';
import { sampleEvent } from './sample-event.ts';

/** Test Connection, or Sample Payload. */
export type TestKind = 'test' | 'sample';

export interface TestContext {
  readonly projectId: string;
  readonly now: Date;
  readonly newId: () => string;
  /** Those that the webhook asks for. */
  readonly fields: readonly string[];
}

const MESSAGE = 'Connection test: your receiver is reachable. Respond with 200 and {"ok": true}.';

/** The bytes of a test: `test.ping` (contract §6.2), or an example post under an id of its own (contract §6.1). */
export function buildTestBody(kind: TestKind, { projectId, now, newId, fields }: TestContext): Uint8Array {
  if (kind === 'test') {
    return encodePayload({ event: 'test.ping', message: MESSAGE, timestamp: now.toISOString() });
  }
  const event = sampleEvent({ blog: newId(), project: projectId, publish: newId() }, now);
  const context = { receiverHasBlog: false, receiverSlug: null, attempt: 1, retries: false, fields };
  return encodePayload(buildPayload(event, context));
}

/** The webhook event of a test. */
export const testEvent = (kind: TestKind) => (kind === 'test' ? 'test.ping' : 'blog.published');
