import { randomUUID } from 'node:crypto';
import { deliveryEvent } from '@blog-content/payload-schemas';
import fc from 'fast-check';
import { attemptsOn, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import type { ClaimedDelivery } from './claim-statements.ts';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import type { Verdict } from '../http/judge.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, claimOne, record, statuses, makeAllDue } = attemptsOn(() => queue);

/** Texts that mean something to an array, a line, a JSON document or a statement. */
const HOSTILE = [
  ...['', ' ', ' x ', 'NULL', 'null', 'Null', '"', '""', "'", "''", '\\', '\\\\', '\\"', '\\n', String.raw`\u0000`],
  ...[',', 'a,b', '{', '}', '{}', '{NULL,"x"}', '[1,2]', '{"a":[null]}', '$1', '::text', "'; DROP TABLE delivery; --"],
  ...['\n', 'a\nb', '\n\n', '\r\n', '\t', '\v', '\u0001', '\u007f', '\u2028\u2029', '\uFEFF', '\uFFFD'],
  ...['é', 'e\u0301', '😀', '👩‍👩‍👧', '日本語', '\u202Eabc', 'true', '-1', 'NaN', 'infinity', '2026-11-21'],
];

const exchangeOf = (text: string): StoredExchange => ({
  request: {
    headers: [
      ['x-a', text],
      [text, 'b'],
    ],
    custom: text,
    body: text,
    bytes: 3,
  },
  answer: { headers: [[text, text]], start: text, isWhole: false },
  timings: { dns: null, connect: 1.5, tls: null, firstByte: 2, total: 3 },
});
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const failedWith = (detail: string): Verdict => ({ kind: 'failed', reason: 'status', detail });

interface RecordedRow {
  status: string;
  event: string;
  detail: string | null;
  live_url: string | null;
  external_id: string | null;
  status_code: number;
  finished_at: Date;
  number: number;
  attempt_detail: string | null;
  attempt_reason: string | null;
  started_at: Date;
  ended_at: Date;
  exchange: StoredExchange | null;
  has_exchange: boolean;
  receiver_url: string | null;
  receiver_id: string | null;
}
/** All that is kept of an end, and its outcome event. */
const recordedOf = async ({ id, blogId, projectId }: ClaimedDelivery) => {
  const rows = await queue.query<RecordedRow>(
    `SELECT d.status, d.event, d.detail, d.live_url, d.external_id, d.status_code, d.finished_at,
       a.number, a.detail AS attempt_detail, a.reason AS attempt_reason, a.started_at, a.ended_at, a.exchange,
       a.exchange IS NOT NULL AS has_exchange, r.live_url AS receiver_url, r.external_id AS receiver_id
     FROM delivery d JOIN delivery_attempt a ON a.delivery_id = d.id
     LEFT JOIN receiver_blog r ON r.integration_id = d.integration_id AND r.blog_id = d.blog_id
     WHERE d.id = $1`,
    [id],
  );
  expect(rows).toHaveLength(1);
  const sent = (await queue.envelopes()).filter(
    ({ type, data }) => type === 'delivery.finished' && data['delivery_id'] === id,
  );
  expect(sent).toMatchObject([
    { topic: 'blog.deliveries', source: '/webhook-dispatcher', partitionKey: projectId, data: { blog_id: blogId } },
  ]);
  expect(deliveryEvent.parse(sent[0]?.data)).toEqual(sent[0]?.data);
  return { ...rows[0], outcomeEvent: sent[0]?.data, traceparent: sent[0]?.traceparent ?? null };
};
/** So many deliveries, claimed together. */
const claimMany = async (count: number): Promise<readonly ClaimedDelivery[]> => {
  const projectId = randomUUID();
  await queue.addIntegration(projectId);
  await plan(...Array.from({ length: count }, () => testBlog(projectId).published()));
  const claimed: ClaimedDelivery[] = [];
  // One claim looks at so many deliveries of a receiver and no further.
  while (claimed.length < count) {
    const more = await claim({ limit: count, perIntegration: count });
    expect(more).not.toEqual([]);
    claimed.push(...more);
  }
  return claimed;
};

/**
 * Ends a delivery for each text, all of them at the same time, half of them as failed, and looks at what is kept of
 * each.
 */
async function endWith(texts: readonly string[]): Promise<void> {
  const claimed = await claimMany(texts.length);
  const endedAt = new Date('2026-11-21T09:00:00.123Z');
  const hasFailed = (index: number) => index % 2 === 1;
  const ends = claimed.map((delivery, index) => {
    const text = texts[index] ?? '';
    const verdict = hasFailed(index) ? failedWith(text) : SUCCEEDED;
    const answer = hasFailed(index) ? {} : { liveUrl: text, externalId: text };
    const changes = { event: `event ${text}`, endedAt, exchange: exchangeOf(text), ...answer };
    return record({ ...delivery, traceparent: text }, verdict, changes);
  });
  expect(await Promise.all(ends)).toEqual(texts.map(() => true));
  for (const [index, delivery] of claimed.entries()) {
    const text = texts[index] ?? '';
    const [detail, answered] = hasFailed(index) ? [text, null] : [null, text];
    expect(await recordedOf(delivery)).toMatchObject({
      status: hasFailed(index) ? 'failed' : 'succeeded',
      event: `event ${text}`,
      detail,
      live_url: answered,
      external_id: answered,
      finished_at: endedAt,
      attempt_detail: detail,
      started_at: delivery.beganAt,
      ended_at: endedAt,
      exchange: exchangeOf(text),
      receiver_url: answered,
      receiver_id: answered,
      outcomeEvent: { detail, live_url: answered, external_id: answered },
      traceparent: text,
    });
  }
}

describe('ends that are recorded together', () => {
  it('keep any text unchanged, each with its own delivery', async () => {
    await endWith(HOSTILE);
    await endWith(HOSTILE.toReversed());
  });

  it('keep any text', async () => {
    // What a text of PostgreSQL cannot hold is taken out where texts come in.
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
        await queue.clear();
        await endWith(texts);
      }),
      { numRuns: 15 },
    );
  });

  it('distinguish null from a value', async () => {
    const [without, empty] = (await claimMany(2)) as [ClaimedDelivery, ClaimedDelivery];
    await Promise.all([
      record({ ...without, traceparent: null }, SUCCEEDED, { exchange: null, liveUrl: null, externalId: null }),
      record({ ...empty, traceparent: TRACE }, failedWith(''), { exchange: { ...exchangeOf(''), answer: null } }),
    ]);
    expect(await recordedOf(without)).toMatchObject({
      ...{ detail: null, attempt_detail: null, attempt_reason: null, traceparent: null },
      ...{ live_url: null, external_id: null, receiver_url: null, receiver_id: null },
      ...{ exchange: null, has_exchange: false },
    });
    expect(await recordedOf(empty)).toMatchObject({
      ...{ detail: '', attempt_detail: '', attempt_reason: 'status', traceparent: TRACE },
      ...{ exchange: { ...exchangeOf(''), answer: null }, has_exchange: true },
    });
  });

  it('are read in the log as they were recorded', async () => {
    const claimed = await claimMany(HOSTILE.length);
    await Promise.all(
      claimed.map((delivery, index) => {
        const text = HOSTILE[index] ?? '';
        return record(delivery, failedWith(text), { exchange: exchangeOf(text) });
      }),
    );
    for (const [index, { projectId, id }] of claimed.entries()) {
      const text = HOSTILE[index] ?? '';
      const found = await queue.log.find(projectId, id);
      expect(found?.delivery).toMatchObject({ detail: text, attempts: [{ number: 1, detail: text }] });
      expect(found?.exchanges).toEqual(new Map([[1, exchangeOf(text)]]));
    }
  });

  it('that the database refuses do not keep the others from being recorded', async () => {
    const [good, bad, better] = (await claimMany(3)) as [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery];
    const ends = await Promise.allSettled([
      record(good, SUCCEEDED, { liveUrl: 'https://site.example/tea' }),
      record(bad, failedWith('half a \0 text')),
      record(better, failedWith('a whole one')),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await statuses()).toSorted()).toEqual(['failed', 'in_flight', 'succeeded']);
    // Nothing of it is there: it can be recorded in another way.
    expect(await record(bad, failedWith('in other words'))).toBe(true);
  });

  it('are recorded even if one exists already under another’s key', async () => {
    await queue.query('CREATE UNIQUE INDEX one_url ON receiver_blog (live_url)');
    const claimed = await claimMany(3);
    const urls = ['https://site.example/tea', 'https://site.example/tea', 'https://site.example/coffee'];
    const ends = await Promise.allSettled(
      claimed.map((delivery, index) => record(delivery, SUCCEEDED, { liveUrl: urls[index] ?? null })),
    );
    await queue.query('DROP INDEX one_url');
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect((await statuses()).toSorted()).toEqual(['in_flight', 'succeeded', 'succeeded']);
  });

  it('replace the data of the attempt before, and a recorded failure', async () => {
    const claimed = await claimMany(2);
    await queue.query(
      `INSERT INTO delivery_attempt (delivery_id, number, started_at, reason)
       SELECT id, 1, now(), 'interrupted' FROM delivery`,
    );
    await queue.query(
      `INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
       SELECT id, position, integration_id, now() FROM delivery`,
    );
    const [first, second] = claimed as [ClaimedDelivery, ClaimedDelivery];
    expect(await record(first, failedWith('No.'))).toBe(true);
    expect(await record(second, retryIn(0))).toBe(true);
    expect(await queue.query('SELECT reason FROM delivery_attempt ORDER BY reason')).toEqual([
      { reason: 'status' },
      { reason: 'timeout' },
    ]);
  });

  it('have an outcome event each, with an id of its own and in a form without a line feed, however many end together', async () => {
    const claimed = await claimMany(120);
    await Promise.all(claimed.map((delivery) => record(delivery, failedWith('two\nlines'))));
    const sent = (await queue.envelopes()).filter(({ type }) => type === 'delivery.finished');
    expect(sent.map(({ data }) => data['delivery_id']).toSorted()).toEqual(claimed.map(({ id }) => id).toSorted());
    expect(new Set(sent.map(({ id }) => id)).size).toBe(120);
    for (const { key, partitionKey, data } of sent) {
      expect(key).not.toBe('');
      expect(partitionKey).toBe(claimed[0]?.projectId);
      expect(data['detail']).toBe('two\nlines');
    }
  });

  it('remove ended deliveries from the queue, and nothing else', async () => {
    const claimed = await claimMany(3);
    await record(claimed[0] as ClaimedDelivery, SUCCEEDED);
    await record(claimed[1] as ClaimedDelivery, failedWith('No.'));
    const another = { ...(claimed[2] as ClaimedDelivery), leaseToken: randomUUID(), attempt: 2 };
    expect(await record(another, SUCCEEDED)).toBe(false);
    expect(await queue.query('SELECT delivery_id FROM delivery_queue')).toEqual([{ delivery_id: claimed[2]?.id }]);
    expect(await queue.query('SELECT delivery_id FROM failed_delivery')).toEqual([{ delivery_id: claimed[1]?.id }]);
  });
});

describe('an attempt that is followed by a retry', () => {
  it('keeps every text unchanged, also when the delivery has ended', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    for (const text of HOSTILE) {
      await plan(testBlog(projectId).published({ trigger: 'autopilot' }));
      const first = await claimOne();
      const verdict: Verdict = { ...retryIn(0), reason: 'timeout', detail: text } as Verdict;
      await record(first, verdict, { event: `event ${text}`, exchange: exchangeOf(text) });
      await makeAllDue();
      const second = await claimOne();
      expect(second).toMatchObject({ id: first.id, event: `event ${text}` });
      await record(second, failedWith(text), { exchange: null });
      const found = await queue.log.find(projectId, first.id);
      expect(found?.delivery.attempts).toMatchObject([
        { number: 1, started_at: first.beganAt.toISOString(), detail: text },
        { number: 2, started_at: second.beganAt.toISOString(), detail: text },
      ]);
      expect(found?.exchanges).toEqual(new Map([[1, exchangeOf(text)]]));
    }
  });
});
