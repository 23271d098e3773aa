import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateImage } from '../../generated/sdk.gen.ts';
import type { Image } from '../../generated/types.gen.ts';
import { Textarea, TextInput } from '../../parts/forms/inputs.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { images as text } from '../../strings/images.ts';
import { libraryChanged } from '../../parts/images/library-changed.ts';

/** What the image shows, for those who do not see it, and what it is called. The fields begin as it was listed. */
export function ImageWords(props: { listed: Image; saved: Image; onSaved: () => Promise<unknown> }) {
  const { listed, saved } = props;
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [alt, setAlt] = useState(listed.alt);
  const [name, setName] = useState(listed.name);
  const save = useMutation({
    mutationFn: () =>
      updateImage({
        path: { projectId, imageId: listed.id },
        body: { alt: alt.trim(), name: name.trim() },
        throwOnError: true,
      }),
    onSuccess: async () => {
      await Promise.all([libraryChanged(queries), props.onSaved()]);
      notify.done(text.saved);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        {save.error && <Problem error={save.error} names={{ alt: text.alt, name: text.name }} />}
        <Textarea
          label={text.alt}
          description={text.altHint}
          autosize
          minRows={2}
          maxLength={2000}
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
        <TextInput
          label={text.name}
          description={text.nameHint}
          maxLength={300}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={alt.trim() === saved.alt && name.trim() === saved.name}
          >
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
