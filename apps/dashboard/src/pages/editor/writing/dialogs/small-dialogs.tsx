import { Button, Group, Stack } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { Dialog } from '../../../../parts/dialogs/dialog.tsx';
import { Textarea, TextInput } from '../../../../parts/forms/inputs.tsx';
import { editor as text } from '../../../../strings/editor.ts';
import { selectedImage, selectedRaw } from '../commands.ts';

/** The alt text of the selected image. */
export function AltDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [html] = useState(() => selectedImage(editor) ?? {});
  const [alt, setAlt] = useState(html['alt'] ?? '');
  return (
    <Dialog opened onClose={onClose} title={text.image.edit}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { selection, tr } = editor.state;
          // Unlike updateAttributes, this keeps the image selected.
          editor.view.dispatch(tr.setNodeAttribute(selection.from, 'html', { ...html, alt: alt.trim() }));
          onClose();
        }}
      >
        <Stack>
          <TextInput
            label={text.image.alt}
            description={text.image.altHint}
            value={alt}
            maxLength={1000}
            onChange={(event) => setAlt(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit">{text.image.save}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The HTML of the selected place, or of a new one. */
export function HtmlDialog({ editor, isNew, onClose }: { editor: Editor; isNew: boolean; onClose: () => void }) {
  const [html, setHtml] = useState(() => (isNew ? '' : (selectedRaw(editor) ?? '')));
  const apply = () => {
    if (isNew) {
      editor
        .chain()
        .focus()
        .insertContent({ type: 'rawBlock', attrs: { source: html } })
        .run();
    } else if (html.trim() === '') {
      editor.chain().focus().deleteSelection().run();
    } else {
      const { selection } = editor.state;
      editor.view.dispatch(editor.state.tr.setNodeAttribute(selection.from, 'source', html));
    }
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={text.html.title} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Stack>
          <Textarea
            label={text.html.field}
            description={text.html.hint}
            value={html}
            onChange={(event) => setHtml(event.currentTarget.value)}
            minRows={8}
            autosize
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={isNew && html.trim() === ''}>
              {text.html.apply}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
