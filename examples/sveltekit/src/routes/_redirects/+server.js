import { blog } from '#lib/server/blog.js';

export const prerender = true;

/** Old addresses of renamed posts, as Netlify and Cloudflare Pages read them. */
export const GET = async () => {
  const lines = (await blog.redirects()).flatMap(({ from, to }) =>
    [`/blog/${from}/`, `/blog/${from}`].map((path) => `${path} /blog/${to}/ 301\n`),
  );
  return new Response(lines.join(''), { headers: { 'content-type': 'text/plain' } });
};
