import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SITE_URL } from './blog';

export const metadata: Metadata = {
  metadataBase: new URL(SITE_URL),
  title: 'Blog',
};

const CSS = `
  body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1.1rem/1.6 system-ui, sans-serif; }
  img { max-width: 100%; height: auto; }
`;

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <style>{CSS}</style>
        <link rel="alternate" type="application/rss+xml" href="/rss.xml" title="RSS" />
        <link rel="sitemap" href="/sitemap.xml" />
      </head>
      <body>
        <header>
          <a href="/">Blog</a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}
