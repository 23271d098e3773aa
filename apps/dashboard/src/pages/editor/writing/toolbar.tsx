import { ActionIcon, Button, Group, Menu, NativeSelect } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { Bold, Code, Italic, Link, List, ListOrdered, Redo2, TextQuote, Undo2, type LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { editor as strings } from '../../../strings/editor.ts';
import { BLOCKS, linkAt, selectedImage, selectedRaw, toggleInline, type DialogKind } from './commands.ts';
import styles from './rich-text.module.css';

const text = strings.toolbar;

/** Formatting of the text, with what the cursor stands in. The arrow keys move between its buttons. */
export function Toolbar({ editor, onDialog }: { editor: Editor; onDialog: (kind: DialogKind) => void }) {
  const at = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      block: blockAt(current),
      bold: current.isActive('bold'),
      italic: current.isActive('italic'),
      code: current.isActive('code'),
      link: linkAt(current) !== null,
      bulletList: current.isActive('bulletList'),
      orderedList: current.isActive('orderedList'),
      blockquote: current.isActive('blockquote'),
      table: current.isActive('table'),
      image: selectedImage(current) !== null,
      raw: selectedRaw(current) !== null,
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  });
  const chain = () => editor.chain().focus();
  return (
    <Group gap={4} role="toolbar" aria-label={text.label} onKeyDown={moveFocus} className={styles['toolbar'] ?? ''}>
      <NativeSelect
        aria-label={text.block}
        size="xs"
        value={at.block}
        onChange={(event) => setBlock(editor, event.currentTarget.value)}
        data={[
          { value: 'paragraph', label: text.paragraph },
          ...[2, 3, 4].map((level) => ({ value: `heading${level}`, label: text.heading(level) })),
          { value: 'codeBlock', label: text.codeBlock },
        ]}
      />
      <Tool name={text.bold} icon={Bold} on={at.bold} run={() => chain().toggleMark('bold').run()} />
      <Tool name={text.italic} icon={Italic} on={at.italic} run={() => chain().toggleMark('italic').run()} />
      <Tool name={text.code} icon={Code} on={at.code} run={() => chain().toggleMark('code').run()} />
      <Tool name={text.link} icon={Link} on={at.link} run={() => onDialog('link')} />
      <Tool name={text.bullets} icon={List} on={at.bulletList} run={() => chain().toggleBulletList().run()} />
      <Tool name={text.numbers} icon={ListOrdered} on={at.orderedList} run={() => chain().toggleOrderedList().run()} />
      <Tool name={text.quote} icon={TextQuote} on={at.blockquote} run={() => chain().toggleBlockquote().run()} />
      <Tool name={text.undo} icon={Undo2} disabled={!at.canUndo} run={() => chain().undo().run()} />
      <Tool name={text.redo} icon={Redo2} disabled={!at.canRedo} run={() => chain().redo().run()} />
      <Button size="xs" variant="default" onClick={() => onDialog('image')}>
        {text.image}
      </Button>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default">
            {text.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <More editor={editor} onDialog={onDialog} />
        </Menu.Dropdown>
      </Menu>
      {at.image && (
        <Button size="xs" variant="default" onClick={() => onDialog('alt')}>
          {text.alt}
        </Button>
      )}
      {at.raw && (
        <Button size="xs" variant="default" onClick={() => onDialog('html')}>
          {text.editHtml}
        </Button>
      )}
      {at.table && <TableMenu editor={editor} />}
    </Group>
  );
}

function More({ editor, onDialog }: { editor: Editor; onDialog: (kind: DialogKind) => void }) {
  return (
    <>
      <Menu.Item onClick={() => editor.chain().focus().toggleMark('strike').run()}>{text.strike}</Menu.Item>
      <Menu.Item onClick={() => editor.chain().focus().toggleMark('underline').run()}>{text.underline}</Menu.Item>
      {(['mark', 'sub', 'sup'] as const).map((element) => (
        <Menu.Item key={element} onClick={() => toggleInline(editor, element)}>
          {text[element]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      {BLOCKS.filter(({ name }) => INSERTED.has(name)).map(({ name, run }) => (
        <Menu.Item key={name} onClick={() => run(editor)}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => onDialog('new-html')}>{text.html}</Menu.Item>
    </>
  );
}

const INSERTED = new Set([text.table, text.rule, text.details]);

function TableMenu({ editor }: { editor: Editor }) {
  const chain = () => editor.chain().focus();
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="xs" variant="default">
          {text.table}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => chain().addRowAfter().run()}>{text.addRow}</Menu.Item>
        <Menu.Item onClick={() => chain().addColumnAfter().run()}>{text.addColumn}</Menu.Item>
        <Menu.Item onClick={() => chain().toggleHeaderRow().run()}>{text.headerRow}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => chain().deleteRow().run()}>{text.deleteRow}</Menu.Item>
        <Menu.Item onClick={() => chain().deleteColumn().run()}>{text.deleteColumn}</Menu.Item>
        <Menu.Item onClick={() => chain().deleteTable().run()}>{text.deleteTable}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Tool(props: { name: string; on?: boolean; disabled?: boolean; run: () => void; icon: LucideIcon }) {
  const { icon: Icon } = props;
  return (
    <ActionIcon
      variant={props.on === true ? 'filled' : 'default'}
      size="md"
      aria-label={props.name}
      // Nine tooltips of Mantine’s would take a tenth of what opening a post takes.
      title={props.name}
      {...(props.on !== undefined && { 'aria-pressed': props.on })}
      // One that cannot act stays in the order of the keys.
      data-disabled={props.disabled === true || undefined}
      aria-disabled={props.disabled === true}
      onClick={() => props.disabled !== true && props.run()}
      // The selection in the text stays.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Icon />
    </ActionIcon>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  if (!(event.target instanceof HTMLButtonElement) || event.target.closest('[role=toolbar]') === null) return;
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('button, select')];
  const next = tools.indexOf(event.target) + (event.key === 'ArrowRight' ? 1 : -1);
  tools.at(next % tools.length)?.focus();
}

function blockAt(editor: Editor): string {
  if (editor.isActive('codeBlock')) return 'codeBlock';
  const level = [2, 3, 4].find((each) => editor.isActive('heading', { level: each }));
  return level === undefined ? 'paragraph' : `heading${level}`;
}

function setBlock(editor: Editor, block: string): void {
  const chain = editor.chain().focus();
  if (block.startsWith('heading')) chain.setNode('heading', { level: Number(block.slice(-1)) }).run();
  else chain.setNode(block).run();
}
