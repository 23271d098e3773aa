import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace-root.ts';

const MAX_WIDTH = 120;

const files = globSync(['*.md', '{apps,libs,docs,docker,k8s,examples}/**/*.md'], {
  cwd: workspaceRoot,
  exclude: ['**/node_modules/**', '**/dist/**', '**/.*/**'],
}).sort();

it('a line of prose can break before it is too long', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(tooLongLines)).toEqual([]);
});

/** Lines outside of tables and blocks of code that are too long and have a space outside of a span of code. */
function tooLongLines(file: string): string[] {
  const text = readFileSync(join(workspaceRoot, file), 'utf8');
  const prose = text.replaceAll(/^ *```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return prose.split('\n').flatMap((line, index) => {
    if (line.length <= MAX_WIDTH || /^\s*(?:\||#)/.test(line)) return [];
    const canBreak = / /.test(line.trim().replaceAll(/`[^`]*`/g, ''));
    return canBreak ? [`${file}:${index + 1} has ${line.length} characters`] : [];
  });
}
