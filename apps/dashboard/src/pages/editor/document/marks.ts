import { Mark, markInputRule, type Attributes } from '@tiptap/core';
import { INLINE, isEmptyInline } from './elements.ts';
import { keptAttributes, shownAttributes, type KeptAttributes } from './kept-attributes.ts';

/** The attribute in which nodes and marks keep those of their elements. */
export const kept = (without: readonly string[] = []): Attributes => ({
  html: {
    default: {},
    keepOnSplit: false,
    parseHTML: (element: HTMLElement) => keptAttributes(element, without),
    renderHTML: ({ html }: Record<string, unknown>) => ({ ...shownAttributes(html as KeptAttributes) }),
  },
});

const elementName = (fallback: string): Attributes => ({
  element: { default: fallback, parseHTML: (element: HTMLElement) => element.localName, rendered: false },
});

/** `[INTERNAL:slug]`, however it was escaped, with what follows it (docs/contract.md, "Link placeholders"). */
const INTERNAL = /^\s*(?:\[|%5b)\s*internal:/i;
const isInternalHref = (href: string): boolean => INTERNAL.test(href);

const hrefOf = (element: HTMLElement) => element.getAttribute('href') ?? '';

/** A link to another post of the project; readers get it by the post's slug. */
const InternalLink = Mark.create({
  name: 'internalLink',
  priority: 1100,
  inclusive: false,
  excludes: 'internalLink link',
  addAttributes: () => kept(),
  parseHTML: () => [{ tag: 'a[href]', priority: 60, getAttrs: (element) => isInternalHref(hrefOf(element)) && null }],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
});

const Link = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  excludes: 'internalLink link',
  addAttributes: () => kept(),
  parseHTML: () => [{ tag: 'a[href]', getAttrs: (element) => !isInternalHref(hrefOf(element)) && null }],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
});

/** All inline elements that have no mark of their own. Several may wrap the same words. */
const OWN_MARKS = new Set(['b', 'strong', 'i', 'em', 's', 'del', 'u', 'code']);
const OTHERS = [...INLINE].filter((name) => !OWN_MARKS.has(name));

const InlineElement = Mark.create({
  name: 'inlineElement',
  priority: 990,
  excludes: '',
  addAttributes: () => ({ ...elementName('span'), ...kept() }),
  parseHTML: () =>
    OTHERS.map((tag) => ({
      tag,
      priority: 40,
      getAttrs: (element: HTMLElement) =>
        (tag === 'a' && element.hasAttribute('href')) || isEmptyInline(element) ? false : null,
    })),
  renderHTML: ({ mark, HTMLAttributes }) => [mark.attrs['element'] as string, HTMLAttributes, 0],
});

/** A mark that a key and Markdown switch. It keeps which of its elements it was. */
const toggled = (
  name: string,
  elements: readonly [string, ...string[]],
  key: string,
  markdown: readonly RegExp[],
  priority: number,
) =>
  Mark.create({
    name,
    priority,
    // Ghost writes `<b><strong>`.
    excludes: '',
    addAttributes: () => ({ ...elementName(elements[0]), ...kept() }),
    parseHTML: () =>
      elements.map((tag) => ({ tag, getAttrs: (element: HTMLElement) => (isEmptyInline(element) ? false : null) })),
    renderHTML: ({ mark, HTMLAttributes }) => [mark.attrs['element'] as string, HTMLAttributes, 0],
    addKeyboardShortcuts: () => ({
      [key]: ({ editor }) => editor.commands.toggleMark(name),
    }),
    addInputRules() {
      return markdown.map((find) => markInputRule({ find, type: this.type }));
    },
  });

/** The outermost first: what shows its edges is not cut by what does not. */
export const marks = [
  InternalLink,
  Link,
  InlineElement,
  toggled('code', ['code'], 'Mod-e', [/(?:^|[^`])`([^`]+)`$/], 980),
  toggled('bold', ['strong', 'b'], 'Mod-b', [/(?:^|\s)(\*\*(?!\s)([^*]+)\*\*)$/, /(?:^|\s)(__(?!\s)([^_]+)__)$/], 970),
  toggled('italic', ['em', 'i'], 'Mod-i', [/(?:^|\s)(\*(?!\s|\*)([^*]+)\*)$/, /(?:^|\s)(_(?!\s|_)([^_]+)_)$/], 960),
  toggled('strike', ['s', 'del'], 'Mod-Shift-s', [/(?:^|\s)(~~(?!\s)([^~]+)~~)$/], 950),
  toggled('underline', ['u'], 'Mod-u', [], 940),
];
