import type { Plugin } from 'vite';
import { DOCUMENT_NAMES, type Guide } from '../../src/docs/guide.ts';
import { OPEN_API_FILE, readOpenApi } from './open-api.ts';
import { renderGuide } from './render-guide.ts';
import { groupsOf, renderGroup, renderIntroduction } from './render-reference.ts';
import { fileOf, readDocuments, sourceOf } from './markdown-docs.ts';
import { searchEntries } from './search-entries.ts';

/** Modules that the page imports: lists of the groups of the API and of the documents, each a module of its own. */
const API = 'virtual:api';
const DOCUMENTS = 'virtual:documents';
const SEARCH = 'virtual:search';

/** Makes modules of the documents: `virtual:documents/<name>`, `virtual:api/<page>`, `virtual:search`. */
export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    resolveId: (id) => ([API, DOCUMENTS, SEARCH].some((one) => id.startsWith(one)) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith('\0virtual:')) return null;
      const [module, page] = id.slice(1).split('/');
      const document = DOCUMENT_NAMES.find((name) => name === page);
      if (module === DOCUMENTS && document) {
        this.addWatchFile(fileOf(document));
        return code(JSON.stringify(renderGuide(sourceOf(document))));
      }
      if (module === DOCUMENTS) {
        return code(
          `{ ${DOCUMENT_NAMES.map((name) => `'${name}': () => import('${DOCUMENTS}/${name}')`).join(', ')} }`,
        );
      }
      this.addWatchFile(OPEN_API_FILE);
      const openApi = readOpenApi();
      if (module === SEARCH) return code(JSON.stringify(searchEntries(readDocuments(), openApi)));
      if (page === 'introduction') return code(JSON.stringify(introduction(renderIntroduction(openApi))));
      if (page !== undefined) return code(JSON.stringify(renderGroup(openApi, page)));
      const groups = groupsOf(openApi).map(
        ({ name, title }) =>
          `{ name: ${JSON.stringify(name)}, title: ${JSON.stringify(title)}, load: () => import('${API}/${name}') }`,
      );
      return code(`{ groups: [${groups.join(',')}], introduction: () => import('${API}/introduction') }`);
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

const code = (value: string) => ({ code: `export default ${value};`, moduleType: 'js' as const });

const introduction = (markdown: string): Guide => ({ ...renderGuide(markdown), title: 'API reference' });
