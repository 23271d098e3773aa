import { Alert, Stack } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { memo, useState } from 'react';
import { Textarea } from '../../parts/forms/inputs.tsx';
import { editor as text } from '../../strings/editor.ts';
import { idOfField } from './field-names.ts';
import type { LatestContent } from './saving/latest-content.ts';
import { TakenOut } from './taken-out.tsx';
import { RichText } from './writing/rich-text.tsx';

/** How the content is shown. */
export interface ContentView {
  readonly mode: 'write' | 'source';
  /** What the text view would lose, where it therefore cannot show the content. */
  readonly wouldLose: string | null;
  /** A new number refills it. */
  readonly number: number;
}

/** The content, as text or as its HTML. Another instance is needed to show another content, or in another way. */
export const ContentField = memo(function ContentField(props: {
  blogId: string;
  content: LatestContent;
  view: ContentView;
  onChange: (content: () => string) => void;
  onWouldLose: (place: string) => void;
  onEditor: (editor: Editor | null) => void;
  /** Shows what is stored. */
  onShowStored: () => Promise<void>;
}) {
  const { content, view, onChange } = props;
  const [html, setHtml] = useState(content.read);
  return (
    <Stack gap="md">
      {view.wouldLose !== null && <Alert title={text.cannotOpen}>{text.cannotOpenText(view.wouldLose)}</Alert>}
      <TakenOut content={content} onShow={props.onShowStored} />
      {view.mode === 'write' ? (
        <RichText
          blogId={props.blogId}
          html={html}
          onChange={onChange}
          onWouldLose={props.onWouldLose}
          onEditor={props.onEditor}
        />
      ) : (
        <Textarea
          id={idOfField('content')}
          label={text.content}
          description={text.sourceHint}
          value={html}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setHtml(value);
            onChange(() => value);
          }}
          rows={30}
          resize="vertical"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 13 } }}
        />
      )}
    </Stack>
  );
});
