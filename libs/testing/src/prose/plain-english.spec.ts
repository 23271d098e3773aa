import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace-root.ts';
import { bannedWords, longSentences, paragraphsOf } from './plain-english.ts';

const pagesOf = (...patterns: string[]) =>
  globSync(patterns, {
    cwd: workspaceRoot,
    exclude: ['**/{node_modules,dist,corpus,documents}/**', '**/.*/**'],
  }).sort();

const documents = pagesOf('*.md', '{apps,libs,docs,docker,k8s,examples}/**/*.md');
/** What people read who use the service; contributors' pages list files and may take longer. */
const guides = pagesOf(
  '{README,CHANGELOG,SECURITY}.md',
  'docs/{quickstart-*,making-posts,webhooks,destinations,public-api-extensions,operations,troubleshooting,contract,kafka-security,GLOSSARY}.md',
  'docs/guides/*.md',
  '{docker,k8s}/README.md',
  'examples/**/*.md',
  'libs/{client,receiver,blog-cli}/README.md',
);
const read = (page: string) => paragraphsOf(readFileSync(join(workspaceRoot, page), 'utf8'));

describe('plain English', () => {
  it.each(documents)('%s has no banned word', (page) => {
    expect(read(page).flatMap(bannedWords)).toEqual([]);
  });

  it.each(guides)('%s has no sentence over 25 words outside of tables', (page) => {
    const prose = read(page).filter((paragraph) => !paragraph.startsWith('|'));
    expect(prose.flatMap(longSentences)).toEqual([]);
  });

  it('finds banned words and long sentences, but not in code or targets of links', () => {
    const text = 'Whoever asks.\n\n- Mend it `at once`, [please](whatever.md).\n\n```\nwhoever\n```\n';
    expect(paragraphsOf(text).flatMap(bannedWords)).toEqual([
      '“Whoever asks.”: write name the subject',
      '“- Mend it code, please.”: write fix',
    ]);
    expect(longSentences(`${'word '.repeat(25)}end. Short one.`)).toEqual([`${'word '.repeat(25)}end.`]);
  });
});
