import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { docsPages } from './vite/docs/docs-pages.ts';
import { markdownDocs } from './vite/docs/markdown-docs.ts';
import { preloadFont } from './vite/preload-font.ts';

export default defineConfig({
  plugins: [react(), docsPages(), markdownDocs(), preloadFont()],
  // Where `npm start` listens: `vite` beside it shows changes immediately.
  server: { host: '127.0.0.1', proxy: { '/blog': 'http://127.0.0.1:4000', '/images': 'http://127.0.0.1:4000' } },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // What the check of the first load's size reads.
    manifest: true,
    // The documents are a page of their own: the dashboard does not pay for them, nor they for it.
    rolldownOptions: { input: ['index.html', 'docs/index.html'] },
  },
});
