import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { uploadImage } from '../../generated/sdk.gen.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { images as text } from '../../strings/images.ts';
import { libraryChanged } from '../../parts/images/library-changed.ts';

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
    <FormDialog
      title={text.urlTitle}
      confirm={text.fetch}
      sending={fetchImage}
      onSubmit={(given) =>
        fetchImage.mutate({ url: formText(given, 'url').trim(), alt: formText(given, 'alt').trim() })
      }
      onClose={onClose}
    >
      <Text size="sm">{text.urlText}</Text>
      <TextInput
        name="url"
        type="url"
        label={text.imageUrl}
        required
        maxLength={2048}
        error={refused['url']}
        data-autofocus
      />
      <TextInput name="alt" label={text.alt} maxLength={2000} error={refused['alt']} />
    </FormDialog>
  );
}
