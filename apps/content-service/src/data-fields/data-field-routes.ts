import { dataFieldsRequest, type dataFields } from '@blog-content/payload-schemas';
import {
  etagOf,
  notFound,
  parseBody,
  preconditionFailed,
  readIfMatch,
  requireProjectOwner,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router, type Response } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import { checkDeclarations } from './check-declarations.ts';
import type { DataFieldStore, Declarations } from './data-field-store.ts';

export interface DataFieldRoutesDependencies {
  readonly dataFields: DataFieldStore;
}

/** `GET /data-fields` of a project, for members and agents. */
export function createDataFieldReading({ dataFields }: DataFieldRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  routes.get('/data-fields', async (_req, res) => {
    send(res, await dataFields.find(callerOf(res).projectId));
  });
  return routes;
}

/** `PUT /data-fields` of a project, for its owners. */
export function createDataFieldChanges({ dataFields }: DataFieldRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  routes.put('/data-fields', requireProjectOwner, async (req, res) => {
    const ifMatch = readIfMatch(req);
    const { fields } = parseBody(dataFieldsRequest, req.body);
    const wrong = checkDeclarations(fields);
    if (wrong.length > 0) throw unprocessable(wrong);
    const saved = await dataFields.save(callerOf(res), fields, ifMatch);
    if (saved === 'no_project') throw notFound('Project not found.');
    if (saved === 'changed') throw preconditionFailed('list of data fields');
    send(res, saved);
  });
  return routes;
}

function send(response: Response, { fields, version, updatedAt }: Declarations): void {
  const shown: z.infer<typeof dataFields> = {
    version,
    fields: [...fields],
    updated_at: updatedAt?.toISOString() ?? null,
  };
  response.set('ETag', etagOf(version)).json(shown);
}
