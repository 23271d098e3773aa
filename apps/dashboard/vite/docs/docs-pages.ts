import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { Guide } from '../../src/docs/guide.ts';
import { OPEN_API_FILE, readOpenApi } from './open-api.ts';
import { renderGuide } from './render-guide.ts';
import { groupsOf, renderGroup, renderIntroduction } from './render-reference.ts';
import { readDocuments } from './markdown-docs.ts';
import { searchEntries } from './search-entries.ts';

/** Modules that the page imports: `virtual:api` lists the groups of the API, and each is a module of its own. */
const API = 'virtual:api';
const SEARCH = 'virtual:search';

/** Makes modules of the documents: `docs/<name>.md?guide`, `virtual:api`, `virtual:api/<page>`, `virtual:search`. */
export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    resolveId: (id) => (id.startsWith(API) || id === SEARCH ? `\0${id}` : null),
    load(id) {
      const code = (value: unknown) => ({
        code: `export default ${JSON.stringify(value)};`,
        moduleType: 'js' as const,
      });
      if (id.endsWith('.md?guide')) {
        const file = id.replace('?guide', '');
        this.addWatchFile(file);
        return code(renderGuide(readFileSync(file, 'utf8')));
      }
      if (!id.startsWith(`\0${API}`) && id !== `\0${SEARCH}`) return null;
      this.addWatchFile(OPEN_API_FILE);
      const openApi = readOpenApi();
      if (id === `\0${SEARCH}`) return code(searchEntries(readDocuments(), openApi));
      if (id === `\0${API}`) {
        const loads = groupsOf(openApi).map(
          ({ name, title }) =>
            `{ name: ${JSON.stringify(name)}, title: ${JSON.stringify(title)}, load: () => import('${API}/${name}') }`,
        );
        const about = `() => import('${API}/introduction')`;
        return { code: `export default { groups: [${loads.join(',')}], introduction: ${about} };`, moduleType: 'js' };
      }
      const page = id.slice(API.length + 2);
      return code(page === 'introduction' ? introduction(renderIntroduction(openApi)) : renderGroup(openApi, page));
    },
    // The gateway and Caddy do the same with a built bundle.
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (/^\/docs(?:\/[\w-]*)?(?:\?|$)/.test(request.url ?? '')) request.url = '/docs/index.html';
        next();
      });
    },
  };
}

const introduction = (markdown: string): Guide => ({ ...renderGuide(markdown), title: 'API reference' });
