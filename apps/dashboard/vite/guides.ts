import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { renderGuide } from './render-guide.ts';

/** Imports of `docs/<name>.md?guide` become the rendered guide. */
export function guides(): Plugin {
  return {
    name: 'guides',
    load(id) {
      if (!id.endsWith('.md?guide')) return null;
      const file = id.replace('?guide', '');
      this.addWatchFile(file);
      const guide = renderGuide(readFileSync(file, 'utf8'));
      return { code: `export default ${JSON.stringify(guide)};`, moduleType: 'js' };
    },
    // What the gateway and Caddy do with a built bundle.
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (/^\/docs(?:\/[\w-]*)?(?:\?|$)/.test(request.url ?? '')) request.url = '/docs/index.html';
        next();
      });
    },
  };
}
