import { siteUrl } from '#lib/server/blog.js';

export const prerender = true;
/** Links between posts end in a slash. */
export const trailingSlash = 'always';
/** Pages need no script. */
export const csr = false;

export const load = ({ url }) => ({ canonical: siteUrl + url.pathname });
