/** Old addresses of renamed posts, as Netlify and Cloudflare Pages read them. */
export default defineEventHandler(async (event) => {
  setHeader(event, 'content-type', 'text/plain; charset=utf-8');
  const redirects = await blog.redirects();
  return redirects
    .flatMap(({ from, to }) => [`/blog/${from}/`, `/blog/${from}`].map((path) => `${path} /blog/${to}/ 301\n`))
    .join('');
});
