import { Button, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { editor as strings } from '../../../strings/editor.ts';
import { ImageDialog } from '../writing/dialogs/image-dialog.tsx';

const text = strings.settings;

/** The hero: an address or an upload; without one, the first generated image. */
export function HeroField(props: {
  /** Of the field for the address. */
  id: string;
  address: string | null;
  /** What readers get. */
  shown: string | null;
  error: React.ReactNode;
  onChange: (address: string | null) => void;
}) {
  const [address, setAddress] = useState(props.address ?? '');
  const [isUploading, setUploading] = useState(false);
  const change = (next: string) => {
    setAddress(next);
    if (next === '') props.onChange(null);
    else if (URL.canParse(next)) props.onChange(next);
  };
  const shown = address !== '' ? address : props.address === null ? props.shown : null;
  return (
    <Stack gap={4} role="group" aria-label={text.hero}>
      <Text size="sm" fw={500}>
        {text.hero}
      </Text>
      <Text size="xs">{text.heroHint}</Text>
      {shown !== null && <Image src={shown} alt="" mah={160} fit="contain" />}
      {address === '' && <Text size="sm">{shown === null ? text.heroNone : text.heroMade}</Text>}
      <TextInput
        id={props.id}
        label={text.heroAddress}
        type="url"
        value={address}
        error={props.error}
        onChange={(event) => change(event.currentTarget.value.trim())}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setUploading(true)}>
          {text.heroUpload}
        </Button>
        {address !== '' && (
          <Button size="xs" variant="default" onClick={() => change('')}>
            {text.heroRemove}
          </Button>
        )}
      </Group>
      {isUploading && (
        <ImageDialog
          file={null}
          more={0}
          onClose={() => setUploading(false)}
          onUploaded={({ url }) => {
            change(url);
            setUploading(false);
          }}
        />
      )}
    </Stack>
  );
}
