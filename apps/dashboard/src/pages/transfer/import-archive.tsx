import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState, type DragEvent } from 'react';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { transfer as text } from '../../strings/transfer.ts';
import { ChosenArchive, type Archive, type ImportChoices } from './chosen-archive.tsx';
import { FolderButton } from './folder-button.tsx';

const MEBIBYTE = 1024 * 1024;
/** Most that the API takes. */
const MAX_ARCHIVE_BYTES = 32 * MEBIBYTE;

/** An archive is chosen, its plan shown, and only then is it imported. */
export function ImportArchive() {
  const [chosen, setChosen] = useState<Archive | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [choices, setChoices] = useState<ImportChoices>({ publish: false, update: false, host: false });
  const choose = (name: string, content: Blob) => {
    const tooLarge = content.size > MAX_ARCHIVE_BYTES;
    setRefusal(tooLarge ? text.tooLarge(MAX_ARCHIVE_BYTES / MEBIBYTE) : null);
    setChosen(tooLarge ? null : { name, content, key: idempotencyKey() });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) choose(file.name, file);
  };
  return (
    <Stack gap="sm" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Text size="sm">{text.importText}</Text>
      <Group gap="xs">
        <FolderButton onFolder={choose} onRefused={setRefusal} />
        <FileButton accept=".zip,application/zip" onChange={(file) => file && choose(file.name, file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {text.zip}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {text.dropHere}
        </Text>
      </Group>
      {refusal !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {refusal}
        </Text>
      )}
      {chosen !== null && (
        <ChosenArchive
          key={chosen.key}
          archive={chosen}
          choices={choices}
          onChoices={setChoices}
          onStarted={() => setChosen(null)}
        />
      )}
    </Stack>
  );
}
