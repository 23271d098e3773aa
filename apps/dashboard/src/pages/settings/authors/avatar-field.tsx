import { Button, Group, Input } from '@mantine/core';
import { Portrait } from '../../../parts/lists/rows.tsx';
import { authors as text } from '../../../strings/writing/authors.ts';

/** An author's picture, from the image library. */
export function AvatarField(props: {
  /** Empty for none. */
  url: string;
  error: string | undefined;
  onChoose: () => void;
  onRemove: () => void;
}) {
  return (
    <Input.Wrapper label={text.avatar} error={props.error} labelElement="div">
      <Group gap="xs" mt={4}>
        {props.url !== '' && <Portrait url={props.url} />}
        <Button size="xs" variant="default" onClick={props.onChoose}>
          {props.url === '' ? text.avatarAdd : text.avatarReplace}
        </Button>
        {props.url !== '' && (
          <Button size="xs" variant="default" onClick={props.onRemove}>
            {text.avatarRemove}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
