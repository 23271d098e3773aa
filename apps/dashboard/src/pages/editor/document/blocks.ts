import { Extension, Node, textblockTypeInputRule } from '@tiptap/core';
import { BOXES, INLINE, isEmptyInline } from './elements.ts';
import { keptAttributes, shownAttributes, type KeptAttributes } from './kept-attributes.ts';
import { LOOSE } from './loose-words.ts';
import { kept } from './marks.ts';
import { RAW, rawView } from './raw-view.ts';

/** What the nodes of TipTap's own kit keep beyond what they know. */
const KeptOnBlocks = Extension.create({
  name: 'keptOnBlocks',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'blockquote', 'bulletList', 'listItem', 'horizontalRule', 'hardBreak'],
      attributes: kept(),
    },
    { types: ['orderedList'], attributes: kept(['start', 'type']) },
    {
      types: ['paragraph'],
      attributes: {
        loose: {
          default: null,
          parseHTML: (element: HTMLElement) => element.getAttribute(LOOSE),
          renderHTML: ({ loose }: Record<string, unknown>) => (loose === null ? {} : { [LOOSE]: loose }),
        },
      },
    },
  ],
});

/** A block around others that has no commands of its own. */
const Box = Node.create({
  name: 'box',
  group: 'block',
  content: 'block*',
  defining: true,
  addAttributes: () => ({
    element: { default: 'div', parseHTML: (element: HTMLElement) => element.localName, rendered: false },
    ...kept(),
  }),
  parseHTML: () => [...BOXES].map((tag) => ({ tag })),
  renderHTML: ({ node, HTMLAttributes }) => [node.attrs['element'] as string, HTMLAttributes, 0],
});

const Image = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => kept(),
  parseHTML: () => [{ tag: 'img' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
});

/** `pre`, usually with a `code` in it, whose attributes name the language. */
const CodeBlock = Node.create({
  name: 'codeBlock',
  group: 'block',
  content: 'text*',
  marks: '',
  code: true,
  defining: true,
  addAttributes: () => ({
    ...kept(),
    code: {
      default: {},
      rendered: false,
      parseHTML: (element: HTMLElement) => {
        const code = element.querySelector(':scope > code');
        return code ? keptAttributes(code) : false;
      },
    },
  }),
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
  renderHTML({ node, HTMLAttributes }) {
    const code = node.attrs['code'] as KeptAttributes | false;
    return code === false
      ? ['pre', HTMLAttributes, 0]
      : ['pre', HTMLAttributes, ['code', { ...shownAttributes(code) }, 0]];
  },
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: /^```([\w-]*)[\s\n]$/,
        type: this.type,
        getAttributes: ([, language]) => ({ code: language ? { class: `language-${language}` } : {} }),
      }),
    ];
  },
});

const rawAttributes = (html: (element: HTMLElement) => string) => ({
  source: { default: '', parseHTML: html, renderHTML: ({ source }: Record<string, unknown>) => ({ [RAW]: source }) },
});

/** HTML that the editor has no form for: kept byte for byte, and edited as HTML. */
const RawBlock = Node.create({
  name: 'rawBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => rawAttributes((element) => element.getAttribute(RAW) ?? ''),
  parseHTML: () => [{ tag: `div[${RAW}]`, priority: 100 }],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
  addNodeView: () => rawView,
});

/** Players, frames, pictures with sources, boxes of tasks, ruby, and inline elements with nothing in them. */
const RawInline = Node.create({
  name: 'rawInline',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => rawAttributes((element) => element.getAttribute(RAW) ?? element.outerHTML),
  parseHTML: () => [
    { tag: `span[${RAW}]`, priority: 100 },
    ...['iframe', 'video', 'audio', 'picture', 'input', 'ruby'].map((tag) => ({ tag, priority: 100 })),
    ...[...INLINE].map((tag) => ({
      tag,
      priority: 100,
      getAttrs: (element: HTMLElement) => isEmptyInline(element) && null,
    })),
  ],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes],
  addNodeView: () => rawView,
});

export const blocks = [KeptOnBlocks, Box, Image, CodeBlock, RawBlock, RawInline];
