import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { uploadImage } from '../../generated/sdk.gen.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { images as text } from '../../strings/images.ts';
import { libraryChanged } from './library-changed.ts';

export function FetchDialog({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const fetchImage = useMutation({
    mutationFn: (given: { url: string; alt: string }) =>
      uploadImage({ path: { projectId }, body: given, throwOnError: true }),
    onSuccess: async () => {
      await libraryChanged(queries);
      notify.done(text.fetched);
      onClose();
    },
  });
  const refused = fetchImage.error ? fieldErrors(fetchImage.error) : {};
  return (
    <Dialog opened onClose={onClose} title={text.addressTitle} closable={!fetchImage.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          fetchImage.mutate({ url: formText(given, 'url').trim(), alt: formText(given, 'alt').trim() });
        }}
      >
        <Stack>
          <Text size="sm">{text.addressText}</Text>
          {fetchImage.error && <Problem error={fetchImage.error} />}
          <TextInput
            name="url"
            type="url"
            label={text.address}
            required
            maxLength={2048}
            error={refused['url']}
            data-autofocus
          />
          <TextInput name="alt" label={text.alt} maxLength={2000} error={refused['alt']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={fetchImage.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={fetchImage.isPending}>
              {text.fetch}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
