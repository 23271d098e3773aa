import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What every answer with a part of the dashboard carries; docker/dashboard/Caddyfile is made from it. */
export const DASHBOARD_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine sets its variables in <style> elements.
    "style-src 'self' 'unsafe-inline'",
    // Posts show images of any address, and previews the frames that the cleaning of content allows.
    "img-src 'self' data: blob: http: https:",
    'media-src http: https:',
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob: https:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Of the files that are sent; others are not there. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
/** Those of which Caddy knows no type, or another one on each machine. */
export const NAMED_TYPES = {
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.go': 'text/plain; charset=utf-8',
  '.php': 'text/plain; charset=utf-8',
  '.tgz': 'application/gzip',
} as const;
const typeOf = (file: string): string | undefined =>
  TYPES[extname(file)] ?? (NAMED_TYPES as Readonly<Record<string, string | undefined>>)[extname(file)];

/** Below these, the API answers, or nothing does, but never the dashboard. */
export const NOT_PAGES = /^\/(?:blog|images|assets|packages|mcp)(?:\/|$)|\.[^/]*$/;
/** The files whose names hold a hash of their content. */
export const HASHED = /^\/(?:assets\/|packages\/.*-[0-9a-f]{12}\.tgz$)/;

/** The page of the API reference and the guides, and the paths that it answers. */
export const DOCS_PAGE = '/docs/index.html';
export const DOCS_PATHS = /^\/docs(?:\/[^.]*)?$/;

/**
 * The pages of documents. Each has its Markdown in a file, which is sent in its place to whom `Accept` says so; without
 * that file there is no such page, and the answer is 404.
 */
export const DOCUMENT_PAGE = /^\/docs\/([\w-]+)\/?$/;
/** The files that name the origin on which they are read. */
export const NAMES_ORIGIN = /^\/docs\/[\w-]+\.md$|^(?:\/docs)?\/llms\.txt$/;
/**
 * The origin's placeholder in such a file: for Caddy a template, because only a request says it. A proxy before Caddy
 * says that clients see https.
 */
export const ORIGIN_TEMPLATE =
  '⟦if eq (.Req.Header.Get "X-Forwarded-Proto") "https"⟧https⟦else⟧⟦placeholder "http.request.scheme"⟧⟦end⟧://⟦.Req.Host⟧';

interface SentFile {
  readonly body: Buffer;
  readonly gzip: Buffer | null;
  readonly type: string;
  readonly etag: string;
}

export interface DashboardFilesOptions {
  /** Of the dashboard’s bundle and the documents. */
  readonly dashboardFolder?: string | undefined;
  /** Of the published packages (`buildPackages`), which are below `/packages/`. */
  readonly packagesFolder?: string | undefined;
  readonly origin: string;
}

/**
 * Answers a request with a file of the dashboard’s bundle or a published package, or with the dashboard's page where the
 * path is one of its own; false when it has nothing to do with it. The files are read once, and sent in gzip as the
 * image’s Caddy sends them.
 */
export function dashboardFiles({
  dashboardFolder,
  packagesFolder,
  origin,
}: DashboardFilesOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map([...filesIn(dashboardFolder, '/', origin), ...filesIn(packagesFolder, '/packages/', origin)]);
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const file = files.get(path) ?? pageFor(path, request, files);
    const status = isUnknownDocument(path, files) ? 404 : 200;
    if (file === undefined) return false;
    const zips = file.gzip !== null && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = zips && file.gzip ? file.gzip : file.body;
    const headers = {
      ...DASHBOARD_HEADERS,
      Vary: DOCUMENT_PAGE.test(path) ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
      ETag: file.etag,
      'Cache-Control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (status === 200 && request.headers['if-none-match']?.includes(file.etag)) {
      response.writeHead(304, headers).end();
      return true;
    }
    response.writeHead(status, {
      ...headers,
      'Content-Type': file.type,
      'Content-Length': body.length,
      ...(zips && { 'Content-Encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}

function filesIn(folder: string | undefined, at: string, origin: string): [string, SentFile][] {
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !/(?:^|\/)\./.test(name) && typeOf(name) !== undefined)
    .map((name) => {
      const path = `${at}${name}`;
      const kept = readFileSync(join(folder, name));
      const body = NAMES_ORIGIN.test(path) ? Buffer.from(kept.toString().replaceAll(ORIGIN_TEMPLATE, origin)) : kept;
      const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return [path, { body, gzip: name.endsWith('.tgz') ? null : gzipSync(body), type: typeOf(name)!, etag }];
    });
}

/** Whether only the page of the documents that says “Page not found” answers a path. */
function isUnknownDocument(path: string, files: ReadonlyMap<string, SentFile>): boolean {
  if (path === '/docs' || path === '/docs/' || !DOCS_PATHS.test(path)) return false;
  const [, document] = DOCUMENT_PAGE.exec(path) ?? [];
  return !files.has(`/docs/${document}.md`);
}

function pageFor(
  path: string,
  { headers }: IncomingMessage,
  files: ReadonlyMap<string, SentFile>,
): SentFile | undefined {
  const [, document] = DOCUMENT_PAGE.exec(path) ?? [];
  if (document !== undefined && headers.accept?.includes('text/markdown')) return files.get(`/docs/${document}.md`);
  if (NOT_PAGES.test(path)) return undefined;
  return files.get(DOCS_PATHS.test(path) ? DOCS_PAGE : '/index.html');
}
