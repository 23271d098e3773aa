import { Text, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { Braces, FileText, ImagePlus } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { editor as text } from '../../../../strings/editor.ts';
import { BLOCKS, type Block, type DialogKind } from '../commands.ts';
import { matchBlocks } from './match-blocks.ts';
import styles from './menus.module.css';
import { usePlace } from './use-place.ts';

/** Takes a key before the text does; true when it was for the menu. */
export type TakeKey = (event: KeyboardEvent) => boolean;

/** Blocks to add, shown while a paragraph holds nothing but `/` and the beginning of a name. */
export function SlashMenu(props: {
  editor: Editor;
  onDialog: (kind: DialogKind) => void;
  setTakeKey: (take: TakeKey | null) => void;
}) {
  const { editor, onDialog, setTakeKey } = props;
  const query = useEditorState({ editor, selector: ({ editor: current }) => queryAt(current) });
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const all: readonly Block[] = [
    {
      name: text.toolbar.image,
      icon: ImagePlus,
      hint: text.hints.image,
      words: 'picture photo upload',
      run: () => onDialog('image'),
    },
    ...BLOCKS,
    {
      name: text.slash.post,
      icon: FileText,
      hint: text.hints.post,
      words: 'internal link',
      run: () => onDialog('post-link'),
    },
    {
      name: text.toolbar.html,
      icon: Braces,
      hint: text.hints.html,
      words: 'raw embed video',
      run: () => onDialog('new-html'),
    },
  ];
  const blocks = query === null ? [] : matchBlocks(all, query);
  const isOpen = query !== null && query !== closedAt;
  const current = Math.min(chosen, Math.max(0, blocks.length - 1));

  const choose = (block: Block) => {
    const { $from } = editor.state.selection;
    editor.chain().focus().deleteRange({ from: $from.start(), to: $from.end() }).run();
    block.run(editor);
  };
  useLayoutEffect(() => {
    if (query === null) {
      setClosedAt(null);
      setChosen(0);
    }
  }, [query]);
  useLayoutEffect(() => {
    if (!isOpen) {
      setTakeKey(null);
      return;
    }
    setTakeKey((event) => {
      if (event.key === 'Escape') setClosedAt(query);
      else if (event.key === 'ArrowDown') setChosen((current + 1) % Math.max(1, blocks.length));
      else if (event.key === 'ArrowUp') setChosen((current - 1 + blocks.length) % Math.max(1, blocks.length));
      else if (event.key === 'Enter' && blocks[current]) choose(blocks[current]);
      else return false;
      return true;
    });
  });
  usePlace(frame, 'menu', isOpen ? () => caretOf(editor) : null);
  useLayoutEffect(() => {
    frame.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current, query]);

  if (!isOpen) return null;
  return (
    <div className={styles['slash']} ref={frame} role="listbox" aria-label={text.slash.label}>
      {blocks.length === 0 && (
        <Text size="sm" p="xs">
          {text.slash.none}
        </Text>
      )}
      {blocks.map((block, index) => (
        <UnstyledButton
          key={block.name}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          className={styles['slashItem'] ?? ''}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => setChosen(index)}
          onClick={() => choose(block)}
        >
          <block.icon />
          <span>{block.name}</span>
          <span className={styles['hint']} aria-hidden>
            {block.hint}
          </span>
        </UnstyledButton>
      ))}
      <span role="status" className={styles['hidden']}>
        {blocks[current]?.name}
      </span>
    </div>
  );
}

function caretOf({ view, state }: Editor) {
  const { top, bottom, left, right } = view.coordsAtPos(state.selection.from);
  return { top, bottom, left, right };
}

function queryAt(editor: Editor): string | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parent.childCount > 1) return null;
  return /^\/([\w ]{0,20})$/.exec($from.parent.textContent)?.[1]?.toLowerCase() ?? null;
}
