import { Button, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { editor as strings } from '../../../strings/editor.ts';
import { ImagePicker } from '../../../parts/images/image-picker.tsx';

const text = strings.settings;

/** The feature image: a URL or an upload; without one, the first generated image. */
export function HeroField(props: {
  /** Of the field for the URL. */
  id: string;
  address: string | null;
  /** What readers get. */
  shown: string | null;
  error: React.ReactNode;
  onChange: (address: string | null) => void;
}) {
  const [typed, setTyped] = useState({ of: props.address, url: props.address ?? '' });
  const [isUploading, setUploading] = useState(false);
  // It is chosen above the title, too.
  if (typed.of !== props.address) setTyped({ of: props.address, url: props.address ?? '' });
  const change = (url: string) => {
    const address = url === '' ? null : URL.canParse(url) ? url : typed.of;
    setTyped({ of: address, url });
    if (address !== typed.of) props.onChange(address);
  };
  return (
    <Stack gap={6}>
      {props.shown !== null && <Image src={props.shown} alt="" mah={160} radius="md" fit="cover" />}
      {props.address === null && props.shown !== null && <Text size="xs">{text.heroMade}</Text>}
      <TextInput
        id={props.id}
        label={text.hero}
        type="url"
        placeholder="https://…"
        value={typed.url}
        error={props.error}
        onChange={(event) => change(event.currentTarget.value.trim())}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setUploading(true)}>
          {text.heroUpload}
        </Button>
        {props.address !== null && (
          <Button size="xs" variant="default" onClick={() => change('')}>
            {text.heroRemove}
          </Button>
        )}
      </Group>
      {isUploading && (
        <ImagePicker
          file={null}
          more={0}
          onClose={() => setUploading(false)}
          onPicked={({ url }) => {
            change(url);
            setUploading(false);
          }}
        />
      )}
    </Stack>
  );
}
