import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './workspace-root.ts';

const files = globSync(['*.md', '{apps,libs,docs}/**/*.md', 'docs/*.json', '{apps,libs}/*/src/**/*.{ts,tsx}'], {
  cwd: workspaceRoot,
  // Measurements are shown as the tools print them.
  exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', 'docs/performance.md', 'apps/bench/**'],
}).sort();

it('sizes are said in kB, MB and GB everywhere: the same number is not shown in two units', () => {
  expect(files.length).toBeGreaterThan(500);
  const others = files.filter((file) => /\d (?:[KMG]iB|KB)\b/.test(readFileSync(join(workspaceRoot, file), 'utf8')));
  expect(others).toEqual([]);
});
