import { Alert, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { memo, useRef, useState } from 'react';
import { editor as text } from '../../strings/editor.ts';
import { RichText } from './writing/rich-text.tsx';

/** The content, as text or as its HTML. Another instance is needed to show another content. */
export const ContentField = memo(function ContentField(props: {
  blogId: string;
  html: string;
  onChange: (content: () => string) => void;
}) {
  const { onChange } = props;
  const [mode, setMode] = useState<'write' | 'source'>('write');
  const [html, setHtml] = useState(props.html);
  const [wouldLose, setWouldLose] = useState<string | null>(null);
  const content = useRef(() => props.html);
  const change = (changed: () => string) => {
    content.current = changed;
    onChange(changed);
  };
  const switchTo = (next: 'write' | 'source') => {
    setHtml(content.current());
    setWouldLose(null);
    setMode(next);
  };
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={text.mode}
        value={mode}
        onChange={(value) => switchTo(value)}
        data={[
          { value: 'write', label: text.write },
          { value: 'source', label: text.source },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {wouldLose !== null && (
        <Alert variant="outline" title={text.cannotOpen}>
          {text.cannotOpenText(wouldLose)}
        </Alert>
      )}
      {mode === 'write' ? (
        <RichText
          blogId={props.blogId}
          html={html}
          onChange={change}
          onWouldLose={(place) => {
            setWouldLose(place);
            setMode('source');
          }}
        />
      ) : (
        <Textarea
          label={text.content}
          description={text.sourceHint}
          value={html}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setHtml(value);
            change(() => value);
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
