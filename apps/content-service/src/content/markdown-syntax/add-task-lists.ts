import type { MarkdownIt } from 'markdown-it';

const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

/** `- [ ] open` and `- [x] done` as GitHub has them: a checkbox that readers cannot change. */
export function addTaskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'task_lists', (state) => {
    const { tokens } = state;
    for (const [at, item] of tokens.entries()) {
      const inline = tokens[at + 2];
      if (item.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open' || !inline) continue;
      const [all = '', sign] = TASK.exec(inline.content) ?? [];
      if (sign === undefined) continue;
      item.attrJoin('class', 'task-list-item');
      inline.content = inline.content.slice(all.length);
      inline.meta = { task: sign === ' ' ? 'open' : 'done' };
    }
  });
  markdown.core.ruler.after('inline', 'task_boxes', ({ tokens, Token }) => {
    for (const { meta, children } of tokens) {
      const { task } = (meta ?? {}) as { readonly task?: 'open' | 'done' };
      if (task === undefined || children === null) continue;
      const box = new Token('html_inline', '', 0);
      box.content = `<input type="checkbox" disabled${task === 'done' ? ' checked' : ''}> `;
      children.unshift(box);
    }
  });
}
