import { createHash } from 'node:crypto';
import { Router } from 'express';

/** Where the document is, in whole. */
export const OPENAPI_PATH = '/blog/api/v1/openapi.json';

const MAX_AGE_S = 300;

/**
 * `GET /blog/api/v1/openapi.json`, for everybody.
 *
 * @param document makes the document, at the first request: most replicas are never asked, and it takes megabytes.
 */
export function createOpenApiRoutes(document: () => Promise<object>): Router {
  let file: Promise<ServedFile> | undefined;
  const routes = Router();
  routes.get(OPENAPI_PATH, async (req, res) => {
    const { body, etag } = await (file ??= document().then(serialize));
    res.set({ ETag: etag, 'Cache-Control': `public, max-age=${MAX_AGE_S}` });
    if (lists(req.headers['if-none-match'], etag)) res.status(304).end();
    else res.type('application/json').send(body);
  });
  return routes;
}

interface ServedFile {
  readonly body: Buffer;
  readonly etag: string;
}

function serialize(document: object): ServedFile {
  const body = Buffer.from(JSON.stringify(document));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/**
 * Whether `If-None-Match` has the tag (weak comparison, RFC 9110, 13.1.2). Not `req.fresh`: reloads send `no-cache`
 * too.
 */
function lists(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
