import { Button, Checkbox, FileButton, Group, Image, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FormDialog } from '../../../../parts/dialogs/form-dialog.tsx';
import { IMAGE_TYPES, sendImage } from '../../../../parts/images/upload-image.ts';
import { useProject } from '../../../../parts/project.tsx';
import { editor as strings } from '../../../../strings/editor.ts';

const text = strings.image;

/** Asks for an image, unless one was given, and its alt text; uploads it into the project's library. */
export function ImageDialog(props: {
  file: File | null;
  /** How many wait behind this one. */
  more: number;
  onClose: () => void;
  onUploaded: (image: { url: string; alt: string }) => void;
}) {
  const { id: projectId } = useProject();
  const [file, setFile] = useState(props.file);
  const [alt, setAlt] = useState('');
  const [isDecoration, setDecoration] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isRefused = file !== null && !IMAGE_TYPES.split(',').includes(file.type);
  const isAltMissing = !isDecoration && alt.trim() === '';

  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const given = isDecoration ? '' : alt.trim();
      const { image } = await sendImage(projectId, chosen, given);
      props.onUploaded({ url: image.url, alt: given });
    },
  });
  return (
    <FormDialog
      title={text.add}
      confirm={text.upload}
      disabled={file === null || isRefused}
      sending={upload}
      onSubmit={() => {
        setAsked(true);
        if (file !== null && !isRefused && !isAltMissing) upload.mutate(file);
      }}
      onClose={props.onClose}
    >
      {file !== null && !isRefused && <Chosen file={file} />}
      <Group>
        <FileButton accept={IMAGE_TYPES} onChange={(chosen) => chosen && setFile(chosen)}>
          {(button) => (
            <Button variant="default" {...button} data-autofocus={file === null || undefined}>
              {text.choose}
            </Button>
          )}
        </FileButton>
        <Text size="sm">{file?.name ?? text.formats}</Text>
      </Group>
      {isRefused && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {text.notAnImage}
        </Text>
      )}
      <TextInput
        label={text.alt}
        description={text.altHint}
        value={alt}
        maxLength={1000}
        disabled={isDecoration}
        error={isAsked && isAltMissing && text.altMissing}
        onChange={(event) => setAlt(event.currentTarget.value)}
        data-autofocus={file !== null || undefined}
      />
      <Checkbox
        label={text.decorative}
        checked={isDecoration}
        onChange={(event) => setDecoration(event.currentTarget.checked)}
      />
      {props.more > 0 && <Text size="sm">{text.remaining(props.more)}</Text>}
    </FormDialog>
  );
}

function Chosen({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <Image src={url} alt={text.chosen} mah={200} fit="contain" />;
}
