import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '@blog-content/testing';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import type { RoundTrip } from './round-trip-page.ts';

/**
 * Posts as the service keeps them: what its cleaning and its Markdown made of exports of Ghost and WordPress, of
 * Markdown files, of posts of our own, and of what was written to break an editor.
 */
const CORPUS = join(import.meta.dirname, '../corpus');
const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

/** What becomes raw HTML: elements in each other that no editor's document can have. */
const MAY_BE_RAW: Readonly<Record<string, number>> = {
  'ghost/bookmark.html': 1,
  'hostile/editor-names.html': 5,
  'hostile/misnested.html': 4,
  'hostile/scripts.html': 1,
  'hostile/tables.html': 2,
  'own/block-in-link.html': 1,
  'own/code-blocks.html': 2,
  'own/touching-twins.html': 1,
  'own/white-space-pre.html': 1,
  'wordpress/preformatted-verse.html': 1,
};

describe('the editor over the corpus', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const bundle = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        minify: false,
        lib: { entry: join(import.meta.dirname, 'round-trip-page.ts'), formats: ['iife'], name: 'page' },
      },
    });
    const [output] = Array.isArray(bundle) ? bundle : [bundle];
    if (!output || !('output' in output)) throw new Error('Nothing was built.');
    browser = await startBrowser();
    page = await browser.newPage();
    await page.addScriptTag({ content: output.output[0].code });
  });

  afterAll(() => browser.close());

  const tripOf = (name: string) =>
    page.evaluate(
      (html) => (globalThis as unknown as { roundTrip: (html: string) => RoundTrip }).roundTrip(html),
      readFileSync(join(CORPUS, name), 'utf8'),
    );

  it('has at least 60 documents', () => {
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it.each(names)('opens %s and loses nothing, edited or not', async (name) => {
    const trip = await tripOf(name);
    expect(trip.kind).toBe('document');
    expect(trip.valid).toBe(true);
    expect(trip.untouched).toBe(readFileSync(join(CORPUS, name), 'utf8'));
    expect(trip.loss).toBeNull();
    expect(trip.rewrittenTwice).toBe(trip.rewritten);
    expect(trip.rawBlocks).toBe(MAY_BE_RAW[name] ?? 0);
  });
});
