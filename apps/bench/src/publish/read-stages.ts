import type { LocalServices } from '@blog-content/local-services';
import pg from 'pg';

/** Moments (ms since the epoch, by the databases' clock) of one publish on its way. */
interface Stages {
  readonly calledAt: number;
  readonly committedAt: number;
  readonly loggedAt: number;
  readonly servedAt: number;
  readonly plannedAt: number;
  readonly attemptedAt: number;
  readonly firstByteAt: number;
  readonly visibleAt: number;
}

interface MeasuredPublish {
  readonly publishId: string;
  readonly calledAt: number;
  readonly firstByteAt: number;
  readonly visibleAt: number;
}

/** Reads from the services' databases when each publish passed each stage. */
export async function readStages(
  databaseUrls: LocalServices['databaseUrls'],
  samples: readonly MeasuredPublish[],
): Promise<Stages[]> {
  const millis = (column: string) => `extract(epoch from ${column}) * 1000`;
  const content = await rows(
    databaseUrls['content-service'],
    `select o.id::text, p.id::text as publish_id, ${millis('o.created_at')} as created, ${millis('o.published_at')} as logged,
       ${millis('p.served_at')} as served
     from outbox o join publish p on p.id = (o.data->>'publish_id')::uuid
     where o.topic = 'blog.lifecycle' and p.served_at is not null`,
  );
  const delivered = await rows(
    databaseUrls['webhook-dispatcher'],
    `select d.lifecycle_event_id::text as id, ${millis('d.created_at')} as created, ${millis('a.started_at')} as attempted
     from delivery d join delivery_attempt a on a.delivery_id = d.id and a.number = 1`,
  );
  const deliveredById = new Map(delivered.map((delivery) => [delivery['id'], delivery]));
  const contentByPublish = new Map(content.map((event) => [event['publish_id'], event]));
  return samples.flatMap((sample) => {
    const event = contentByPublish.get(sample.publishId);
    const delivery = deliveredById.get(event?.['id']);
    if (!event || !delivery) return [];
    return [
      {
        calledAt: sample.calledAt,
        committedAt: Number(event['created']),
        loggedAt: Number(event['logged']),
        servedAt: Number(event['served']),
        plannedAt: Number(delivery['created']),
        attemptedAt: Number(delivery['attempted']),
        firstByteAt: sample.firstByteAt,
        visibleAt: sample.visibleAt,
      },
    ];
  });
}

/** The stages by name, each with its durations. */
export function describeStages(stages: readonly Stages[]): { name: string; durationsMs: number[] }[] {
  const between = (from: keyof Stages, to: keyof Stages) => stages.map((stage) => stage[to] - stage[from]);
  return [
    { name: 'call → outbox row', durationsMs: between('calledAt', 'committedAt') },
    { name: 'outbox row → in the event log (marked)', durationsMs: between('committedAt', 'loggedAt') },
    { name: 'outbox row → every replica serves it', durationsMs: between('committedAt', 'servedAt') },
    { name: 'outbox row → delivery planned', durationsMs: between('committedAt', 'plannedAt') },
    {
      name: 'delivery planned → attempt recorded (waits for served)',
      durationsMs: between('plannedAt', 'attemptedAt'),
    },
    { name: 'attempt recorded → first byte at the receiver', durationsMs: between('attemptedAt', 'firstByteAt') },
  ];
}

async function rows(databaseUrl: string, query: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(query)).rows;
  } finally {
    await client.end();
  }
}
