import type { WrittenFile } from '../write-post-files.ts';
import { ASTRO } from './astro.ts';
import { ELEVENTY } from './eleventy.ts';
import { HUGO } from './hugo.ts';
import { JEKYLL } from './jekyll.ts';
import { readme } from './readme.ts';

/** A site of the posts for each generator, and what to do with it. @param siteUrl without a slash at its end. */
export function siteFiles(name: string, siteUrl: string | null): WrittenFile[] {
  const address = siteUrl ?? 'https://example.com';
  const sites = { astro: ASTRO, eleventy: ELEVENTY, hugo: HUGO, jekyll: JEKYLL };
  return [
    { path: 'README.md', text: readme(name) },
    ...Object.entries(sites).flatMap(([generator, files]) =>
      Object.entries(files).map(([file, text]) => ({
        path: `sites/${generator}/${file}`,
        text: text
          .replaceAll('SITE_ADDRESS', () => JSON.stringify(address))
          .replaceAll('SITE_NAME', () => JSON.stringify(name)),
      })),
    ),
  ];
}
