/** A path of the site, and the one that it leads to now. */
export interface PathRedirect {
  readonly from: string;
  readonly to: string;
}

export type RedirectFormat = 'netlify' | 'vercel' | 'caddy' | 'nginx' | 'json';

export const REDIRECT_FORMATS: readonly RedirectFormat[] = ['netlify', 'vercel', 'caddy', 'nginx', 'json'];

/** Nothing of it means anything to a shell, a configuration or a pattern. */
const TEMPLATE = /^\/[\w.~/-]*\{slug\}[\w.~/-]*$/;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether posts can be at such paths: `/blog/{slug}/`, for example. Two slashes would lead to another site. */
export function isPathTemplate(template: string): boolean {
  return TEMPLATE.test(template) && !template.includes('//');
}

/** Whether a post of some slug is at the path, with or without its last slash. */
export function fitsTemplate(path: unknown, template: string): boolean {
  if (typeof path !== 'string') return false;
  const [before = '', after = ''] = template.split('{slug}');
  const [end, given] = [after.replace(/\/$/, ''), path.replace(/\/$/, '')];
  return (
    given.startsWith(before) && given.endsWith(end) && SLUG.test(given.slice(before.length, given.length - end.length))
  );
}

/** Puts slugs into a path like `/blog/{slug}/`. What is no slug is left out: it could be anything. */
export function toPaths(redirects: readonly PathRedirect[], template: string): PathRedirect[] {
  return redirects
    .filter(({ from, to }) => SLUG.test(from) && SLUG.test(to))
    .map(({ from, to }) => ({ from: template.replace('{slug}', from), to: template.replace('{slug}', to) }));
}

/** `redir` drops the query, and `{query}` has no “?”. Caddy 2.6 knows no shorter way to keep it. */
const KEEP_QUERY = 'map {query} {redirected_query} {\n\t~.+ "?${0}"\n\tdefault ""\n}\n';

/** Writes redirects as a host reads them. Hosts match whole paths, so each has a line with and without its last slash. */
export function formatRedirects(redirects: readonly PathRedirect[], format: RedirectFormat): string {
  const lines = (line: (redirect: PathRedirect) => string) => redirects.flatMap(bothSpellings).map(line).join('');
  switch (format) {
    case 'netlify':
      return lines(({ from, to }) => `${from} ${to} 301\n`);
    case 'caddy':
      if (redirects.length === 0) return '';
      return KEEP_QUERY + lines(({ from, to }) => `redir ${from} ${to}{redirected_query} 301\n`);
    case 'nginx':
      // Its Location would else name the scheme and the port that nginx itself listens at, also behind a proxy.
      return lines(({ from, to }) => `location = ${from} { absolute_redirect off; return 301 ${to}$is_args$args; }\n`);
    case 'vercel':
      return toJson({ redirects: toVercel(redirects) });
    case 'json':
      return toJson(redirects);
  }
}

/** As `redirects` of a `vercel.json`. `permanent` is 308. */
export function toVercel(redirects: readonly PathRedirect[]): object[] {
  return redirects.flatMap(bothSpellings).map(({ from, to }) => ({ source: from, destination: to, permanent: true }));
}

export function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `/blog/tea/` and `/blog/tea`; a path that ends like a file has one spelling. */
function bothSpellings({ from, to }: PathRedirect): PathRedirect[] {
  const bare = from.replace(/\/$/, '');
  const isFile = /\.\w+$/.test(bare);
  const slashed = { from: `${bare}/`, to };
  if (isFile) return [{ from: bare, to }];
  return from === bare ? [{ from: bare, to }, slashed] : [slashed, { from: bare, to }];
}
