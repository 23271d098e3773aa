import { Button, FileButton, Group, Image, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { imagePicker as text } from '../../strings/images.ts';
import { IMAGE_TYPES } from './upload-image.ts';

/** A file of this machine, chosen or dropped, with what it looks like. */
export function ChosenFile(props: { file: File | null; isRefused: boolean; onChoose: (file: File) => void }) {
  const { file, isRefused, onChoose } = props;
  return (
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const [dropped] = event.dataTransfer.files;
        if (dropped) onChoose(dropped);
      }}
    >
      {file !== null && !isRefused && <Preview file={file} />}
      <Group mt="xs">
        <FileButton accept={IMAGE_TYPES} onChange={(chosen) => chosen && onChoose(chosen)}>
          {(button) => (
            <Button variant="default" {...button} data-autofocus={file === null || undefined}>
              {text.choose}
            </Button>
          )}
        </FileButton>
        <Text c="dimmed">{file?.name ?? text.formats}</Text>
      </Group>
      {isRefused && (
        <Text c="var(--danger)" role="alert" mt="xs">
          {text.notAnImage}
        </Text>
      )}
    </div>
  );
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <Image src={url} alt={text.chosen} mah={200} fit="contain" radius="md" />;
}
