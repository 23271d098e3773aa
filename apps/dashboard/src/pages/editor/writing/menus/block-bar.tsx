import { Button, NativeSelect } from '@mantine/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';
import { useEditorState, type Editor } from '@tiptap/react';
import { BetweenHorizontalEnd, BetweenVerticalEnd, Captions, Columns3, PanelTop, Rows3, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { editor as strings } from '../../../../strings/editor.ts';
import { goToCaption, takesCaption, type DialogKind } from '../commands.ts';
import { codeClass, languageOf, LANGUAGES } from './code-language.ts';
import styles from './menus.module.css';
import { moveFocus, Tool } from './tool.tsx';
import { usePlace } from './use-place.ts';

const text = strings.toolbar;

/** The controls of the selected block, or of the one with the caret: an image, a table, code or HTML. */
export function BlockBar({ editor, onDialog }: { editor: Editor; onDialog: (kind: DialogKind) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const at = useEditorState({ editor, selector: ({ editor: current }) => blockAt(current) });
  usePlace(frame, 'block-bar', at === null ? null : () => rectOf(editor, at.pos));
  if (at === null) return null;
  const remove = () => editor.chain().focus().deleteSelection().run();
  return (
    <div
      ref={frame}
      role="toolbar"
      aria-label={strings.blockBar[at.kind]}
      className={styles['bar']}
      onKeyDown={moveFocus(() => editor.commands.focus())}
    >
      {at.kind === 'table' && <TableTools editor={editor} />}
      {at.kind === 'code' && <CodeTools editor={editor} language={at.language} />}
      {at.kind === 'image' && <TextTool name={text.alt} run={() => onDialog('alt')} />}
      {at.kind === 'raw' && <TextTool name={text.editHtml} run={() => onDialog('html')} />}
      {at.takesCaption && <Tool name={text.caption} icon={Captions} run={() => goToCaption(editor)} />}
      {(at.kind === 'image' || at.kind === 'raw') && <Tool name={text.remove} icon={Trash2} danger run={remove} />}
    </div>
  );
}

function TextTool({ name, run }: { name: string; run: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      c="var(--ink)"
      onClick={run}
      onMouseDown={(event) => event.preventDefault()}
    >
      {name}
    </Button>
  );
}

function TableTools({ editor }: { editor: Editor }) {
  const chain = () => editor.chain().focus();
  return (
    <>
      <Tool name={text.addRow} icon={BetweenHorizontalEnd} run={() => chain().addRowAfter().run()} />
      <Tool name={text.addColumn} icon={BetweenVerticalEnd} run={() => chain().addColumnAfter().run()} />
      <Tool name={text.headerRow} icon={PanelTop} run={() => chain().toggleHeaderRow().run()} />
      <span className={styles['rule']} />
      <Tool name={text.deleteRow} icon={Rows3} danger run={() => chain().deleteRow().run()} />
      <Tool name={text.deleteColumn} icon={Columns3} danger run={() => chain().deleteColumn().run()} />
      <Tool name={text.deleteTable} icon={Trash2} danger run={() => chain().deleteTable().run()} />
    </>
  );
}

function CodeTools({ editor, language }: { editor: Editor; language: string }) {
  return (
    <NativeSelect
      aria-label={text.language}
      size="xs"
      variant="unstyled"
      className={styles['block'] ?? ''}
      value={language}
      onChange={(event) => {
        const { code } = editor.getAttributes('codeBlock');
        editor.commands.updateAttributes('codeBlock', { code: codeClass(code, event.currentTarget.value) });
        editor.commands.focus();
      }}
      data={[
        { value: '', label: text.plainText },
        ...[...new Set([...LANGUAGES, ...(language === '' ? [] : [language])])].map((value) => ({
          value,
          label: value,
        })),
      ]}
    />
  );
}

type Kind = 'table' | 'code' | 'image' | 'raw';

function blockAt(editor: Editor): { kind: Kind; pos: number; language: string; takesCaption: boolean } | null {
  const { selection } = editor.state;
  const found = { language: '', takesCaption: false };
  if (selection instanceof NodeSelection) {
    const { name } = selection.node.type;
    if (name === 'image') return { ...found, kind: 'image', pos: selection.from, takesCaption: takesCaption(editor) };
    if (!name.startsWith('raw')) return null;
    const isPlayer = name === 'rawInline' && takesCaption(editor);
    return { ...found, kind: 'raw', pos: selection.from, takesCaption: isPlayer };
  }
  const { $from } = selection;
  if ($from.parent.type.name === 'codeBlock') {
    return { ...found, kind: 'code', pos: $from.before(), language: languageOf($from.parent.attrs['code']) };
  }
  // Of selected words the bar above them says more.
  if (!selection.empty && selection instanceof TextSelection) return null;
  for (let { depth } = $from; depth > 0; depth -= 1) {
    if ($from.node(depth).type.name === 'table') return { ...found, kind: 'table', pos: $from.before(depth) };
  }
  return null;
}

function rectOf({ view }: Editor, pos: number): DOMRect | null {
  const block = view.nodeDOM(pos);
  return block instanceof Element ? block.getBoundingClientRect() : null;
}
