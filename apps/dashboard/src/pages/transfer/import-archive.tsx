import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { FileArchive, FolderInput } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { ChosenArchive, type Archive, type ImportChoices } from './chosen-archive.tsx';
import { FolderButton } from './folder-button.tsx';
import { ImportSteps } from './import-steps.tsx';
import styles from './import-steps.module.css';

const MEBIBYTE = 1024 * 1024;
/** Most that the API takes. */
const MAX_ARCHIVE_BYTES = 32 * MEBIBYTE;

/** An archive is chosen, its plan shown, and only then is it imported. */
export function ImportArchive() {
  const [chosen, setChosen] = useState<Archive | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [choices, setChoices] = useState<ImportChoices>({ publish: false, update: false, host: false });
  const choose = (name: string, content: Blob) => {
    const tooLarge = content.size > MAX_ARCHIVE_BYTES;
    setRefusal(tooLarge ? text.tooLarge(MAX_ARCHIVE_BYTES / MEBIBYTE) : null);
    setChosen(tooLarge ? null : { name, content, key: idempotencyKey() });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file) choose(file.name, file);
  };
  const buttons = (
    <Group gap="xs" justify="center">
      <FolderButton onFolder={choose} onRefused={setRefusal} />
      <FileButton accept=".zip,application/zip" onChange={(file) => file && choose(file.name, file)}>
        {(props) => (
          <Button variant="default" leftSection={<FileArchive />} {...props}>
            {text.zip}
          </Button>
        )}
      </FileButton>
    </Group>
  );
  return (
    <Stack
      gap="md"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <ImportSteps at={chosen === null ? 'choose' : 'review'} />
      {refusal !== null && (
        <Notice kind="danger" role="alert">
          {refusal}
        </Notice>
      )}
      {chosen === null ? (
        <div className={styles['drop']} data-over={isOver || undefined}>
          <FolderInput />
          <div>
            <Text fw={500}>{text.importTitle}</Text>
            <Text c="dimmed" maw={440}>
              {text.importText} <Anchor href="/docs/move-here">{text.guide}</Anchor>
            </Text>
          </div>
          {buttons}
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {text.dropHere}
          </Text>
        </div>
      ) : (
        <>
          <div className={styles['chosen']}>
            <FileArchive />
            <span>{chosen.name}</span>
            <Button size="xs" variant="default" onClick={() => setChosen(null)}>
              {text.another}
            </Button>
          </div>
          <ChosenArchive
            key={chosen.key}
            archive={chosen}
            choices={choices}
            onChoices={setChoices}
            onStarted={() => setChosen(null)}
          />
        </>
      )}
    </Stack>
  );
}
