import { etagOf, notFound, preconditionFailed, readIfMatch, requireProjectOwner } from '@blog-content/service-runtime';
import { Router, type Response } from 'express';
import { callerOf } from '../platform/http/caller.ts';
import type { JsonContent, ProjectDocument, ProjectDocumentStore } from './project-document-store.ts';

interface DocumentResource<Content extends JsonContent> {
  /** Under the project, such as `/brand-voice`. */
  readonly path: string;
  /** What the problem of a lost update calls it. */
  readonly name: string;
  readonly documents: ProjectDocumentStore<Content>;
  /** @throws a problem for what cannot be stored. */
  readonly parse: (body: unknown) => Content;
  readonly show: (found: ProjectDocument<Content>) => object;
}

/** `GET` of a project's document, for members and agents. */
export function createDocumentReading<Content extends JsonContent>({
  path,
  documents,
  show,
}: DocumentResource<Content>): Router {
  const routes = Router({ mergeParams: true });
  routes.get(path, async (_req, res) => {
    send(res, await documents.find(callerOf(res).projectId), show);
  });
  return routes;
}

/** `PUT` of a project's document, for its owners. */
export function createDocumentChanges<Content extends JsonContent>(resource: DocumentResource<Content>): Router {
  const { path, name, documents, parse, show } = resource;
  const routes = Router({ mergeParams: true });
  routes.put(path, requireProjectOwner, async (req, res) => {
    const ifMatch = readIfMatch(req);
    const saved = await documents.save(callerOf(res), parse(req.body), ifMatch);
    if (saved === 'no_project') throw notFound('Project not found.');
    if (saved === 'changed') throw preconditionFailed(name);
    send(res, saved, show);
  });
  return routes;
}

function send<Content extends JsonContent>(
  res: Response,
  found: ProjectDocument<Content>,
  show: DocumentResource<Content>['show'],
): void {
  res.set('ETag', etagOf(found.version)).json(show(found));
}
