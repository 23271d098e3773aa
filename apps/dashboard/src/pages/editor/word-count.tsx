import { Text } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import { editor as text } from '../../strings/editor.ts';

const REST_MS = 400;

/** How many words the text has; counted when typing rests. */
export function WordCount({ editor }: { editor: Editor | null }) {
  const [words, setWords] = useState<number | null>(null);
  useEffect(() => {
    if (editor === null) {
      setWords(null);
      return;
    }
    let timer: ReturnType<typeof setTimeout>;
    const count = () => setWords(countWords(editor.getText({ blockSeparator: ' ' })));
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(count, REST_MS);
    };
    rest();
    editor.on('update', rest);
    return () => {
      clearTimeout(timer);
      editor.off('update', rest);
    };
  }, [editor]);
  if (words === null) return null;
  return (
    <Text span size="sm" c="dimmed" visibleFrom="md" style={{ flex: 'none' }}>
      · {text.words(words)}
    </Text>
  );
}

const countWords = (written: string): number => written.match(/\S+/g)?.length ?? 0;
