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

const TYPES: Readonly<Record<string, string | undefined>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Below these the API answers, or nobody: never the dashboard. */
export const NOT_PAGES = /^\/(?:blog|images|assets|mcp)(?:\/|$)|\.[^/]*$/;

/** The page of the API reference and the guides, and the paths that it answers. */
export const DOCS_PAGE = '/docs/index.html';
export const DOCS_PATHS = /^\/docs(?:\/[^.]*)?$/;

/**
 * Answers a request with a file of the dashboard’s bundle, or with its page where the path is one of its own; false
 * when it has nothing to do with it. The files are read once, and sent in gzip as the image’s Caddy sends them.
 */
export function dashboardFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map<string, { body: Buffer; gzip: Buffer; type: string }>(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => {
        const body = readFileSync(file);
        return [`/${relative(folder, file)}`, { body, gzip: gzipSync(body), type: TYPES[extname(file)]! }] as const;
      }),
  );
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const file =
      files.get(path) ??
      (NOT_PAGES.test(path) ? undefined : files.get(DOCS_PATHS.test(path) ? DOCS_PAGE : '/index.html'));
    if (file === undefined) return false;
    const zips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = zips ? file.gzip : file.body;
    response.writeHead(200, {
      ...DASHBOARD_HEADERS,
      'Content-Type': file.type,
      'Content-Length': body.length,
      ...(zips && { 'Content-Encoding': 'gzip' }),
      Vary: 'Accept-Encoding',
      // Names in assets/ hold a hash of the content.
      'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    return true;
  };
}
