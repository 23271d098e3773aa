import { filesOf, lazyPages, type Manifest } from './bundle.ts';

const manifest: Manifest = {
  'docs/index.html': { file: 'docs.js', isEntry: true, imports: ['_table.js'] },
  '../../docs/limits.md?guide': { file: 'limits.js', isDynamicEntry: true },
  'index.html': { file: 'index.js', isEntry: true, imports: ['_shared.js'], css: ['index.css'] },
  '_shared.js': { file: 'shared.js' },
  '_table.js': { file: 'table.js', imports: ['_shared.js'] },
  'src/pages/home/page.tsx': { file: 'home.js', isDynamicEntry: true, imports: ['_table.js', 'index.html'] },
  'src/pages/editor/page.tsx': { file: 'editor.js', isDynamicEntry: true, imports: ['_table.js'], css: ['editor.css'] },
};
const sizes: Readonly<Record<string, number>> = { 'home.js': 1, 'table.js': 10, 'editor.js': 100, 'editor.css': 1_000 };

describe('the files of the bundle', () => {
  it('are a chunk, its style, and its static imports', () => {
    expect([...filesOf(manifest, 'index.html')].sort()).toEqual(['index.css', 'index.js', 'shared.js']);
  });

  it('are counted for a page without what every page has, the largest page first', () => {
    expect(lazyPages(manifest, (file) => sizes[file] ?? 9_999)).toEqual([
      { name: 'editor', own: 1_100, added: 1_110 },
      { name: 'home', own: 1, added: 11 },
    ]);
  });
});
