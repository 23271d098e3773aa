export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  // Pages need no script.
  features: { noScripts: true },
  // On the server alone, but for the site address of the project, to which links between posts lead.
  runtimeConfig: { public: { siteUrl: (process.env.SITE_URL ?? 'https://example.com').replace(/\/$/, '') } },
  nitro: {
    prerender: { crawlLinks: true, routes: ['/', '/rss.xml', '/sitemap.xml', '/_redirects'], failOnError: true },
  },
  app: {
    head: {
      htmlAttrs: { lang: 'en' },
      meta: [{ name: 'viewport', content: 'width=device-width' }],
      link: [
        { rel: 'alternate', type: 'application/rss+xml', href: '/rss.xml', title: 'RSS' },
        { rel: 'sitemap', href: '/sitemap.xml' },
      ],
    },
  },
});
