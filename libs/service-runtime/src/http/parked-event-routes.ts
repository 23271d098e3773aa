import { Router } from 'express';
import { z } from 'zod';
import { conflict, notFound } from './operational-error.ts';
import { parseBody } from './requests/parse-body.ts';

/** A key whose events wait, as the store of parked events gives it. */
interface ParkedKey {
  readonly topic: string;
  readonly key: string;
  readonly event_id: string;
  readonly type: string;
  readonly project_id: string | null;
  readonly blog_id: string | null;
  readonly error: string;
  readonly failures: number;
  readonly waiting: number;
  readonly parked_at: Date;
  readonly retry_at: Date;
}

interface ParkedEvents<Found> {
  list(): Promise<readonly ParkedKey[]>;
  makeDue(key: string): Promise<void>;
  find(eventId: string): Promise<(Found & { readonly isFirst: boolean }) | null>;
  skip(found: Found): Promise<unknown>;
}

const retryRequest = z.object({ key: z.string().min(1).max(500) });
const skipRequest = z.object({ event_id: z.uuid() });

/**
 * The parked events of a service (ADR 41), for the administrator: `GET /` lists them, `POST /retry` makes a key due, and
 * `POST /skip` deletes the event that a key waits for. Comes after what lets only the administrator pass and reads bodies.
 */
export function createParkedEventRoutes<Found>(events: ParkedEvents<Found>): Router {
  const routes = Router();

  routes.get('/', async (_request, response) => {
    const parked = await events.list();
    response.json({ items: parked.map(show) });
  });

  routes.post('/retry', async (request, response) => {
    const { key } = parseBody(retryRequest, request.body);
    const parked = await events.list();
    if (!parked.some((each) => each.key === key)) throw notFound('No events of this key are parked.');
    await events.makeDue(key);
    response.locals.log['parked_key'] = key;
    response.status(204).end();
  });

  routes.post('/skip', async (request, response) => {
    const { event_id: eventId } = parseBody(skipRequest, request.body);
    const found = await events.find(eventId);
    if (found === null) throw notFound('No parked event has this ID.');
    if (!found.isFirst) throw conflict('Other events of its key are parked before it. Skip or retry those first.');
    await events.skip(found);
    response.locals.log['skipped_event_id'] = eventId;
    response.status(204).end();
  });
  return routes;
}

function show({ topic, key, event_id, type, project_id, blog_id, error, failures, waiting, ...times }: ParkedKey) {
  return {
    ...{ topic, key, event_id, type, project_id, blog_id, error, failures, waiting },
    parked_at: times.parked_at.toISOString(),
    retry_at: times.retry_at.toISOString(),
  };
}
