import { Paper, Text, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { editor as text } from '../../../../strings/editor.ts';
import { BLOCKS, type Block, type DialogKind } from '../commands.ts';
import { matchBlocks } from './match-blocks.ts';
import { placeMenu } from './place-menu.ts';
import styles from '../rich-text.module.css';

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
    ...BLOCKS,
    { name: text.toolbar.image, words: 'picture photo upload', run: () => onDialog('image') },
    { name: text.slash.post, words: 'internal link', run: () => onDialog('post-link') },
    { name: text.toolbar.html, words: 'raw embed video', run: () => onDialog('new-html') },
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
  useLayoutEffect(() => {
    const menu = frame.current;
    if (!isOpen || menu === null) return;
    const place = () => {
      menu.style.maxHeight = '';
      const { width, height } = menu.getBoundingClientRect();
      const { innerWidth, innerHeight } = window;
      const caret = editor.view.coordsAtPos(editor.state.selection.from);
      const at = placeMenu(caret, { width, height }, { width: innerWidth, height: innerHeight });
      Object.assign(menu.style, { top: `${at.top}px`, left: `${at.left}px`, maxHeight: `${at.maxHeight}px` });
    };
    place();
    menu.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    const follow = ({ target }: Event) => target !== menu && place();
    // Also of what scrolls around the text.
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
    };
  }, [isOpen, query, current, editor]);

  if (!isOpen) return null;
  return (
    <Paper
      withBorder
      shadow="md"
      className={styles['slash'] ?? ''}
      ref={frame}
      role="listbox"
      aria-label={text.slash.label}
    >
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
          onClick={() => choose(block)}
        >
          {block.name}
        </UnstyledButton>
      ))}
      <span role="status" className={styles['hidden'] ?? ''}>
        {blocks[current]?.name}
      </span>
    </Paper>
  );
}

function queryAt(editor: Editor): string | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parent.type.name !== 'paragraph' || $from.parent.childCount > 1) return null;
  return /^\/([\w ]{0,20})$/.exec($from.parent.textContent)?.[1]?.toLowerCase() ?? null;
}
