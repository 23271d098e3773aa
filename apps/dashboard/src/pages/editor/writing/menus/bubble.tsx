import { ActionIcon, Menu, NativeSelect } from '@mantine/core';
import { CellSelection } from '@tiptap/pm/tables';
import { NodeSelection } from '@tiptap/pm/state';
import { useEditorState, type Editor } from '@tiptap/react';
import {
  Bold,
  Code,
  Ellipsis,
  Highlighter,
  Italic,
  Link,
  List,
  ListOrdered,
  Strikethrough,
  Subscript,
  Superscript,
  TextQuote,
  Underline,
} from 'lucide-react';
import { useRef } from 'react';
import { editor as strings } from '../../../../strings/editor.ts';
import { linkAt, toggleInline, type DialogKind } from '../commands.ts';
import styles from './menus.module.css';
import { moveFocus, Tool } from './tool.tsx';
import { usePlace } from './use-place.ts';

const text = strings.toolbar;

/** Formatting of the words that are selected, above them. Tab leads from the text into it. */
export function Bubble({ editor, onDialog }: { editor: Editor; onDialog: (kind: DialogKind) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const at = useEditorState({ editor, selector: ({ editor: current }) => stateOf(current) });
  usePlace(frame, 'bar', at === null ? null : () => rectOf(editor));
  if (at === null) return null;
  const chain = () => editor.chain().focus();
  return (
    <div
      ref={frame}
      role="toolbar"
      aria-label={text.label}
      className={styles['bar']}
      data-bubble
      onKeyDown={moveFocus(() => editor.commands.focus())}
    >
      <NativeSelect
        aria-label={text.block}
        size="xs"
        variant="unstyled"
        className={styles['block'] ?? ''}
        value={at.block}
        onChange={(event) => setBlock(editor, event.currentTarget.value)}
        data={[
          { value: 'paragraph', label: text.paragraph },
          ...[2, 3, 4].map((level) => ({ value: `heading${level}`, label: text.heading(level) })),
        ]}
      />
      <Tool name={text.bold} icon={Bold} on={at.bold} run={() => chain().toggleMark('bold').run()} />
      <Tool name={text.italic} icon={Italic} on={at.italic} run={() => chain().toggleMark('italic').run()} />
      <Tool name={text.link} icon={Link} on={at.link} run={() => onDialog('link')} />
      <Tool name={text.code} icon={Code} on={at.code} run={() => chain().toggleMark('code').run()} />
      <span className={styles['rule']} />
      <Tool name={text.bullets} icon={List} on={at.bulletList} run={() => chain().toggleBulletList().run()} />
      <Tool name={text.numbers} icon={ListOrdered} on={at.orderedList} run={() => chain().toggleOrderedList().run()} />
      <Tool name={text.quote} icon={TextQuote} on={at.blockquote} run={() => chain().toggleBlockquote().run()} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={text.more} title={text.more}>
            <Ellipsis />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Underline />} onClick={() => chain().toggleMark('underline').run()}>
            {text.underline}
          </Menu.Item>
          <Menu.Item leftSection={<Strikethrough />} onClick={() => chain().toggleMark('strike').run()}>
            {text.strike}
          </Menu.Item>
          <Menu.Item leftSection={<Highlighter />} onClick={() => toggleInline(editor, 'mark')}>
            {text.mark}
          </Menu.Item>
          <Menu.Item leftSection={<Subscript />} onClick={() => toggleInline(editor, 'sub')}>
            {text.sub}
          </Menu.Item>
          <Menu.Item leftSection={<Superscript />} onClick={() => toggleInline(editor, 'sup')}>
            {text.sup}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** What the selected words are; null where none are, or nothing can be done with them. */
function stateOf(editor: Editor) {
  const { selection } = editor.state;
  if (selection.empty || selection instanceof NodeSelection || selection instanceof CellSelection) return null;
  if (selection.$from.parent.type.spec.code === true) return null;
  const { from, to } = selection;
  return {
    from,
    to,
    block: blockAt(editor),
    bold: editor.isActive('bold'),
    italic: editor.isActive('italic'),
    code: editor.isActive('code'),
    link: linkAt(editor) !== null,
    bulletList: editor.isActive('bulletList'),
    orderedList: editor.isActive('orderedList'),
    blockquote: editor.isActive('blockquote'),
  };
}

function rectOf({ view, state: { selection } }: Editor) {
  const [first, last] = [view.coordsAtPos(selection.from), view.coordsAtPos(selection.to)];
  const { top } = first;
  const { bottom } = last;
  if (Math.abs(top - last.top) < 2) return { top, bottom, left: first.left, right: last.right };
  const { left, right } = view.dom.getBoundingClientRect();
  return { top, bottom, left, right };
}

function blockAt(editor: Editor): string {
  const level = [2, 3, 4].find((each) => editor.isActive('heading', { level: each }));
  return level === undefined ? 'paragraph' : `heading${level}`;
}

function setBlock(editor: Editor, block: string): void {
  const chain = editor.chain().focus();
  if (block.startsWith('heading')) chain.setNode('heading', { level: Number(block.slice(-1)) }).run();
  else chain.setNode(block).run();
}
