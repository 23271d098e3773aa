import { Anchor, Button, Group, List, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getImageOptions, listImageUsesInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { deleteImage, updateImage } from '../../generated/sdk.gen.ts';
import type { Image, ImageUse } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { formatBytes } from '../../parts/images/format-bytes.ts';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { images as text } from '../../strings/images.ts';
import { libraryChanged } from './library-changed.ts';
import { whatDeletingDoes } from './what-deleting-does.ts';

/** While smaller sizes are being made. */
const POLL_MS = 2_000;

/** One image: what it is called, where it is used, and its end. */
export function ImageDialog({ image: listed, onClose }: { image: Image; onClose: () => void }) {
  const { id: projectId } = useProject();
  const path = { projectId, imageId: listed.id };
  const queries = useQueryClient();
  const [alt, setAlt] = useState(listed.alt);
  const [name, setName] = useState(listed.name);
  const [deleting, setDeleting] = useState(false);
  const current = useQuery({
    ...getImageOptions({ path }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.variants.made + data.variants.failed < data.variants.wanted ? POLL_MS : false,
  });
  const uses = useInfiniteQuery({
    ...listImageUsesInfiniteOptions({ path, query: { limit: 100 } }),
    ...morePages(path),
    staleTime: 0,
  });
  const found = uses.data?.pages.flatMap((page) => page.items);
  const image = current.data ?? listed;
  const shownName = image.name === '' ? text.unnamed : image.name;
  const again = () => libraryChanged(queries);
  const save = useMutation({
    mutationFn: () => updateImage({ path, body: { alt: alt.trim(), name: name.trim() }, throwOnError: true }),
    onSuccess: async () => {
      await Promise.all([again(), current.refetch()]);
      notify.done(text.saved);
    },
  });
  const does = whatDeletingDoes(found ?? []);
  const remove = async () => {
    try {
      await deleteImage({ path, ...(does.force && { query: { force: 'true' } }), throwOnError: true });
    } catch (error) {
      // Perhaps it was published meanwhile: then the question is another one.
      await uses.refetch();
      throw error;
    }
    onClose();
    await again();
    notify.done(text.deleted);
  };
  return (
    <Dialog opened onClose={onClose} title={shownName} size="lg">
      <Stack gap="sm">
        <img src={image.url} alt={image.alt} style={{ maxWidth: '100%', maxHeight: 280, alignSelf: 'center' }} />
        <Text size="sm" c="dimmed">
          {text.source[image.source]} <When iso={image.created_at} />.{' '}
          {text.size(image.width, image.height, formatBytes(image.bytes))}.{' '}
          {image.variants.wanted > 0 && text.variants(image.variants.made, image.variants.wanted)}{' '}
          {image.variants.failed > 0 && text.variantsFailed(image.variants.failed)}
        </Text>
        <CopyField value={image.url} what={text.url} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <Stack gap="sm">
            {save.error && <Problem error={save.error} />}
            <Textarea
              label={text.alt}
              description={text.altHint}
              autosize
              minRows={2}
              maxLength={2000}
              value={alt}
              onChange={(event) => setAlt(event.currentTarget.value)}
            />
            <TextInput
              label={text.name}
              description={text.nameHint}
              maxLength={300}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group>
              <Button
                type="submit"
                loading={save.isPending}
                disabled={alt.trim() === image.alt && name.trim() === image.name}
              >
                {text.save}
              </Button>
            </Group>
          </Stack>
        </form>
        <Title order={3} size="h5">
          {text.uses}
        </Title>
        {uses.error && <Problem error={uses.error} onRetry={() => void uses.refetch()} />}
        {found?.length === 0 && <Text size="sm">{text.usesNone}</Text>}
        {found !== undefined && found.length > 0 && <Uses uses={found} />}
        <LoadMore list={uses} />
        <Group justify="flex-end">
          <Button color="red" disabled={found === undefined} onClick={() => setDeleting(true)}>
            {text.delete}
          </Button>
        </Group>
      </Stack>
      {deleting && (
        <ConfirmDialog
          opened
          danger
          title={text.deleteTitle(shownName)}
          confirm={does.force ? text.deleteForce : text.deleteConfirm}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <Text size="sm">
            {does.kind === 'published'
              ? text.deletePublished(does.posts)
              : does.kind === 'used'
                ? text.deleteUsed
                : text.deleteUnused}{' '}
            {text.deleteCopies}
          </Text>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

function Uses({ uses }: { uses: readonly ImageUse[] }) {
  const { id: projectId } = useProject();
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {uses.map(({ blog_id: blogId, title, published, working_copy, revisions }) => (
        <List.Item key={blogId}>
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => (
              <Link to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }} {...props} />
            )}
          >
            {title}
          </Anchor>
          :{' '}
          {[
            ...(published ? [text.usePublished] : []),
            ...(working_copy ? [text.useDraft] : []),
            ...(revisions > 0 ? [text.useRevisions(revisions)] : []),
          ].join(', ')}
        </List.Item>
      ))}
    </List>
  );
}
