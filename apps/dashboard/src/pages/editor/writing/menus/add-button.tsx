import { ActionIcon } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { Plus } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { editor as text } from '../../../../strings/editor.ts';
import styles from './menus.module.css';

/** Beside the empty line that the caret is on: opens the menu of blocks. */
export function AddButton({ editor }: { editor: Editor }) {
  const button = useRef<HTMLButtonElement>(null);
  const at = useEditorState({ editor, selector: ({ editor: current }) => emptyLineAt(current) });
  useLayoutEffect(() => {
    const home = button.current?.offsetParent;
    if (at === null || !button.current || !home) return;
    const { top, bottom } = editor.view.coordsAtPos(at);
    const middle = (top + bottom) / 2 - home.getBoundingClientRect().top;
    button.current.style.top = `${middle - button.current.offsetHeight / 2}px`;
  });
  if (at === null) return null;
  return (
    <ActionIcon
      ref={button}
      className={styles['add'] ?? ''}
      variant="default"
      size="md"
      radius="xl"
      aria-label={text.slash.label}
      title={text.slash.label}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => editor.chain().focus().insertContent('/').run()}
    >
      <Plus />
    </ActionIcon>
  );
}

function emptyLineAt({ state: { selection } }: Editor): number | null {
  const { $from, empty } = selection;
  const isEmptyLine =
    empty && $from.depth === 1 && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
  return isEmptyLine ? $from.pos : null;
}
