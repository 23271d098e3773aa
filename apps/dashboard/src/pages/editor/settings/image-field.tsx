import { Button, Group, Image, Input, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { ImagePicker } from '../../../parts/images/image-picker.tsx';

const text = strings.settings;

/** An image of a post: a URL, an upload or one of the library. */
export function ImageField(props: {
  /** Of the field for the URL. */
  id: string;
  label: string;
  /** Of the button that asks for an image where there is none. */
  add: string;
  address: string | null;
  /** What readers get. */
  shown: string | null;
  /** What they get without an address. */
  otherwise?: string;
  error: React.ReactNode;
  onChange: (address: string | null) => void;
}) {
  const [typed, setTyped] = useState({ of: props.address, url: props.address ?? '' });
  const [isUploading, setUploading] = useState(false);
  // The field stays while the user types in it, even once its value is an image.
  const [isTyping, setTyping] = useState(false);
  // It is chosen above the title, too.
  if (typed.of !== props.address) {
    setTyped({ of: props.address, url: props.address ?? '' });
    setTyping(false);
  }
  const hasField = props.address === null || isTyping || Boolean(props.error);
  const change = (url: string) => {
    const address = url === '' ? null : URL.canParse(url) ? url : typed.of;
    setTyped({ of: address, url });
    if (address !== typed.of) props.onChange(address);
  };
  return (
    <Stack gap={6}>
      {hasField ? (
        <Input.Label htmlFor={props.id}>{props.label}</Input.Label>
      ) : (
        <Input.Label labelElement="div">{props.label}</Input.Label>
      )}
      {props.shown !== null && <Image src={props.shown} alt="" mah={160} radius="md" fit="cover" />}
      {props.address === null && props.shown !== null && <Text size="xs">{text.heroMade}</Text>}
      {hasField && (
        <TextInput
          id={props.id}
          type="url"
          placeholder={props.otherwise ?? 'https://…'}
          value={typed.url}
          error={props.error}
          onChange={(event) => {
            setTyping(true);
            change(event.currentTarget.value.trim());
          }}
        />
      )}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setUploading(true)}>
          {props.shown === null ? props.add : text.heroReplace}
        </Button>
        {props.address !== null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setTyping(false);
              change('');
            }}
          >
            {text.heroRemove}
          </Button>
        )}
      </Group>
      {isUploading && (
        <ImagePicker
          onClose={() => setUploading(false)}
          onPicked={({ url }) => {
            setTyping(false);
            change(url);
            setUploading(false);
          }}
        />
      )}
    </Stack>
  );
}
