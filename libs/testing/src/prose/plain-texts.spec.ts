import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace-root.ts';
import { bannedWords, longSentences } from './plain-english.ts';
import { readTexts } from './read-texts.ts';

/** Sources whose texts people read. A folder joins the list once it is clean. */
const COVERED = [
  'apps/{content-service,public-read-service,webhook-dispatcher}/src/**/*.ts',
  'apps/local-stack/src/**/*.ts',
  'apps/dashboard/src/strings/**/*.ts',
  'libs/{blog-cli,client,credentials,image-storage,payload-schemas,receiver,service-runtime,url-guard}/src/**/*.ts',
  'libs/local-*/{src,small-model}/**/*.{ts,mjs}',
  'scripts/**/*.{ts,mjs}',
];

/** SQL, lists of words and elements, what language models are asked, and demonstrations: no text of the product. */
const OTHER_TEXTS = [
  /\.spec\.ts$|\/generated\/|-statements\.ts$/,
  /\/(?:link-suggestions\/words|writing\/(?:plain|model-writer)|report\/(?:begins-with-name|common-first-words))\.ts$/,
  /\/(?:content\/(?:plain-text|read-page|clean-style)|proposals\/propose|autopilot\/suggest-by-model)\.ts$/,
  /\/(?:sample-event|demo\/posts)\.ts$/,
];

/** What messages said before they were written in plain English. */
const STIFF = /\b(?:no such|somebody|meanwhile|must have no|(?<!there )(?:is|are) no (?!longer|more than))\b/i;

const files = COVERED.flatMap((pattern) => globSync(pattern, { cwd: workspaceRoot }))
  .filter((file) => !OTHER_TEXTS.some((pattern) => pattern.test(file)))
  .sort();

function faultsOf(text: string): string[] {
  const prose = text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/<[^>]+>/g, ' ');
  const stiff = STIFF.exec(prose)?.[0];
  const long = prose.split(/\n|\|/).flatMap(longSentences);
  return [
    ...bannedWords(prose),
    ...(stiff === undefined ? [] : [`“${stiff}”`]),
    ...long.map((sentence) => `over 25 words: ${sentence}`),
  ];
}

/** What is wrong with the summary of an operation. */
function summaryFaults(summary: string): string[] {
  return [
    ...faultsOf(summary),
    ...(summary.split(/\s+/).length > 8 ? ['more than eight words'] : []),
    ...(summary.endsWith('.') ? ['a period'] : []),
    ...(summary.includes('§') ? ['a section number'] : []),
  ];
}

describe('texts in sources', () => {
  it('have no banned word, no space before “…” and no sentence over 25 words', () => {
    expect(files.length).toBeGreaterThan(500);
    const faults = files.flatMap((file) =>
      readTexts(join(workspaceRoot, file)).flatMap(({ line, text }) =>
        faultsOf(text).map((fault) => `${file}:${line}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  }, 60_000);

  it('are caught when they are stiff, long or have a space before “…”', () => {
    expect(faultsOf('The key is no public key.')).toEqual(['“is no ”']);
    expect(faultsOf('Saving …')).toHaveLength(1);
    expect(faultsOf('It goes on by itself.')).toHaveLength(1);
    expect(faultsOf('word '.repeat(26))).toHaveLength(1);
    expect(faultsOf('There is no limit. Saving… `goes on` is code.')).toEqual([]);
  });
});

describe('summaries of operations', () => {
  it('have at most eight words, no period and no section number', () => {
    const document = JSON.parse(readFileSync(join(workspaceRoot, 'docs/openapi.json'), 'utf8')) as Paths;
    const operations = [document.paths, document.webhooks].flatMap((paths) =>
      Object.values(paths).flatMap((path) => Object.values(path)),
    );
    expect(operations.length).toBeGreaterThan(100);
    const faults = operations.flatMap(({ operationId, summary }) =>
      summaryFaults(summary).map((fault) => `${operationId}, “${summary}”: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('are caught when they are long, or have a period or a section number', () => {
    expect(summaryFaults('List all of the published blogs of one project (contract §4.1).')).toEqual([
      'more than eight words',
      'a period',
      'a section number',
    ]);
  });
});

type Operations = Readonly<
  Record<string, Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>>
>;
interface Paths {
  readonly paths: Operations;
  readonly webhooks: Operations;
}
