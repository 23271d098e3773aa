import { createCssVariablesTheme, createHighlighter } from 'shiki';

/** What readers call the language of a fence. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  curl: 'curl',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  java: 'Java',
  json: 'JSON',
  xml: 'XML',
  yaml: 'YAML',
  html: 'HTML',
  markdown: 'Markdown',
};

/** Shiki's name of a language where a fence uses another. */
const GRAMMARS: Readonly<Record<string, string>> = { sh: 'bash', curl: 'bash' };

// The page sets the colors (`document.module.css`), so the same HTML suits light and dark.
const theme = createCssVariablesTheme({ name: 'page', variablePrefix: '--code-' });
const highlighter = await createHighlighter({
  themes: [theme],
  langs: [...new Set(Object.keys(LANGUAGES).map((language) => GRAMMARS[language] ?? language))],
});

export interface Sample {
  readonly language: string;
  readonly code: string;
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A code block with a Copy button; `enliven.ts` makes the button work. */
function block({ language, code }: Sample): string {
  const text = code.replace(/\n$/, '');
  const grammar = GRAMMARS[language] ?? language;
  const inner = highlighter.getLoadedLanguages().includes(grammar)
    ? (/<code>([^]*)<\/code>/.exec(highlighter.codeToHtml(text, { lang: grammar, theme: 'page' }))?.[1] ?? escape(text))
    : escape(text);
  return `<pre tabindex="0"><code>${inner}</code></pre><button type="button" class="copy" data-copy></button>`;
}

/** Code in several languages becomes tabs; the page remembers the reader's choice. */
export function renderSamples(samples: readonly Sample[]): string {
  const [only] = samples;
  if (only && samples.length === 1) return `<div class="code">${block(only)}</div>\n`;
  const tabs = samples.map(
    ({ language }, index) =>
      `<button type="button" role="tab" data-language="${language}" aria-selected="${index === 0}"${index === 0 ? '' : ' tabindex="-1"'}>${LANGUAGES[language] ?? language}</button>`,
  );
  const panels = samples.map(
    (sample, index) =>
      `<div role="tabpanel" aria-label="${LANGUAGES[sample.language] ?? sample.language}" data-language="${sample.language}"${index === 0 ? '' : ' hidden'}>${block(sample)}</div>`,
  );
  return `<div class="code tabbed"><div role="tablist" aria-label="Language">${tabs.join('')}</div>${panels.join('')}</div>\n`;
}

/** Whether two adjacent fences show the same thing in two languages. */
export const areAlternatives = (one: string, other: string): boolean => {
  const programs = ['curl', 'js', 'ts', 'python', 'go', 'php', 'ruby', 'java'];
  return one !== other && programs.includes(one) && programs.includes(other);
};
