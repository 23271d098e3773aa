import { Alert, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { memo, useState } from 'react';
import type { Blog } from '../../generated/types.gen.ts';
import { editor as text } from '../../strings/editor.ts';
import { idOfField } from './field-names.ts';
import type { LatestContent } from './saving/latest-content.ts';
import type { SaveQueue } from './saving/save-queue.ts';
import { TakenOut } from './taken-out.tsx';
import { RichText } from './writing/rich-text.tsx';

/** The content, as text or as its HTML. Another instance is needed to show another content. */
export const ContentField = memo(function ContentField(props: {
  blogId: string;
  content: LatestContent;
  queue: SaveQueue<Blog>;
  onChange: (content: () => string) => void;
}) {
  const { content, onChange } = props;
  const [mode, setMode] = useState<'write' | 'source'>('write');
  /** What the field was filled with; another number fills that of the text anew. */
  const [shown, setShown] = useState(() => ({ html: content.read(), number: 0 }));
  const [wouldLose, setWouldLose] = useState<string | null>(null);
  const show = (next: 'write' | 'source') => {
    const html = content.read();
    content.set(() => html);
    setShown(({ number }) => ({ html, number: number + 1 }));
    setWouldLose(null);
    setMode(next);
  };
  const showStored = async () => {
    await props.queue.flush();
    show(mode);
  };
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={text.mode}
        value={mode}
        onChange={(value) => show(value)}
        data={[
          { value: 'write', label: text.write },
          { value: 'source', label: text.source },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {wouldLose !== null && <Alert title={text.cannotOpen}>{text.cannotOpenText(wouldLose)}</Alert>}
      <TakenOut content={content} onShow={showStored} />
      {mode === 'write' ? (
        <RichText
          key={shown.number}
          blogId={props.blogId}
          html={shown.html}
          onChange={onChange}
          onWouldLose={(place) => {
            setWouldLose(place);
            setMode('source');
          }}
        />
      ) : (
        <Textarea
          id={idOfField('content')}
          label={text.content}
          description={text.sourceHint}
          value={shown.html}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setShown(({ number }) => ({ html: value, number }));
            onChange(() => value);
          }}
          rows={30}
          resize="vertical"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
      )}
    </Stack>
  );
});
