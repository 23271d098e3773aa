import { Extension } from '@tiptap/core';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { OWN } from './kept-attributes.ts';
import { kept } from './marks.ts';

/** Caption and column groups, as HTML. */
const BEFORE = `${OWN}before`;
/** A row's section: its number in the table, and its start tag. */
const SECTION = `${OWN}section`;

const own = (name: string, attribute: string) => ({
  [name]: {
    default: null,
    parseHTML: (element: HTMLElement) => element.getAttribute(attribute),
    renderHTML: (attributes: Record<string, unknown>) =>
      attributes[name] === null ? {} : { [attribute]: attributes[name] },
  },
});

const spans = (element: HTMLElement, name: string) => Number(element.getAttribute(name) ?? '1') || 1;
const cellAttributes = () => ({
  colspan: { default: 1, parseHTML: (element: HTMLElement) => spans(element, 'colspan') },
  rowspan: { default: 1, parseHTML: (element: HTMLElement) => spans(element, 'rowspan') },
  // The kit's commands write it; posts have no column widths of the editor's.
  colwidth: { default: null, rendered: false },
});

const KeptOnTables = Extension.create({
  name: 'keptOnTables',
  addGlobalAttributes: () => [
    { types: ['table'], attributes: { ...kept(), ...own('before', BEFORE) } },
    { types: ['tableRow'], attributes: { ...kept(), ...own('section', SECTION) } },
    { types: ['tableCell', 'tableHeader'], attributes: kept(['colspan', 'rowspan']) },
  ],
});

const withoutDefaults = ({ colspan, rowspan, ...others }: Record<string, unknown>) => ({
  ...others,
  ...(colspan !== 1 && { colspan }),
  ...(rowspan !== 1 && { rowspan }),
});

export const tables = [
  KeptOnTables,
  Table.extend({ renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]] }).configure({
    resizable: false,
  }),
  TableRow,
  TableCell.extend({
    addAttributes: cellAttributes,
    parseHTML: () => [{ tag: 'td' }],
    renderHTML: ({ HTMLAttributes }) => ['td', withoutDefaults(HTMLAttributes), 0],
  }),
  TableHeader.extend({
    addAttributes: cellAttributes,
    parseHTML: () => [{ tag: 'th' }],
    renderHTML: ({ HTMLAttributes }) => ['th', withoutDefaults(HTMLAttributes), 0],
  }),
];

/** The editor's tables have rows only: what is around rows is noted on them and on the table. */
export function noteSections(root: Element): void {
  for (const table of root.querySelectorAll('table')) {
    const before = [...table.children].filter(({ localName }) => localName === 'caption' || localName === 'colgroup');
    if (before.length > 0) table.setAttribute(BEFORE, before.map(({ outerHTML }) => outerHTML).join(''));
    for (const element of before) element.remove();
    for (const [number, section] of [...table.children].entries()) {
      const start = (section.cloneNode(false) as Element).outerHTML;
      for (const row of section.children) row.setAttribute(SECTION, `${number} ${start}`);
    }
  }
}

/** Puts the rows back into their sections. A row that was added belongs to the one above it, but not to the head. */
export function putIntoSections(root: Element): void {
  for (const table of root.querySelectorAll('table')) {
    const rows = [...table.querySelectorAll(':scope > tbody > tr')];
    const before = table.getAttribute(BEFORE) ?? '';
    table.innerHTML = before;
    let section: Element | null = null;
    let opened: string | null = null;
    for (const row of rows) {
      const noted = row.getAttribute(SECTION);
      const belongs: string = noted ?? (section?.localName === 'thead' ? '' : (opened ?? ''));
      if (section === null || belongs !== opened) {
        const holder = table.ownerDocument.createElement('table');
        holder.innerHTML = belongs === '' ? '<tbody></tbody>' : belongs.slice(belongs.indexOf(' '));
        section = holder.firstElementChild ?? table.ownerDocument.createElement('tbody');
        opened = belongs;
        table.append(section);
      }
      section.append(row);
    }
  }
}
