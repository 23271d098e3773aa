import { Alert, Button, Group, Text } from '@mantine/core';
import type { Blog } from '../../../generated/types.gen.ts';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { links } from '../../../strings/writing/links.ts';
import { typedSlug } from './post-address.ts';
import { refusalOf, sayRename } from './say-rename.ts';
import { useRename } from './use-rename.ts';

const text = strings.settings;

/** The slug, with what a new one does to links and to the old URL. */
export function SlugField(props: {
  id: string;
  blog: Blog;
  slug: string;
  address: string;
  error: string | undefined;
  onChange: (slug: string) => void;
  /** Takes the slug from the post that has it as an alias. */
  onTake: () => void;
}) {
  const { blog, slug } = props;
  const preview = useRename(blog, slug);
  const rename = preview && sayRename(preview, blog.slug);
  const holder = preview?.availability === 'alias' ? preview.held_by : null;
  return (
    <div>
      <TextInput
        id={props.id}
        label={text.slug}
        description={props.address}
        styles={{ description: { overflowWrap: 'anywhere' } }}
        value={slug}
        error={(preview && refusalOf(preview)) ?? props.error}
        onChange={(event) => props.onChange(typedSlug(event.currentTarget.value))}
      />
      {holder !== null && (
        <Alert p="xs" mt={6}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {links.takeText(holder.title)}
            </Text>
            <Button size="xs" variant="default" onClick={props.onTake}>
              {links.take}
            </Button>
          </Group>
        </Alert>
      )}
      <Text size="sm" role="status" mt={rename ? 6 : 0}>
        {rename}
      </Text>
    </div>
  );
}
