import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getImageOptions, listImageUsesInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { deleteImage } from '../../generated/sdk.gen.ts';
import type { Image, ImageUse } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { formatBytes } from '../../parts/images/format-bytes.ts';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { images as text } from '../../strings/images.ts';
import { ImageUses } from './image-uses.tsx';
import { ImageWords } from './image-words.tsx';
import { libraryChanged } from '../../parts/images/library-changed.ts';
import { whatDeletingDoes } from './what-deleting-does.ts';

/** While smaller sizes are being made. */
const POLL_MS = 2_000;

/** One image: what it is called, where it is used, and its end. */
export function ImageDialog({ image: listed, onClose }: { image: Image; onClose: () => void }) {
  const { id: projectId } = useProject();
  const path = { projectId, imageId: listed.id };
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
  return (
    <Dialog opened onClose={onClose} title={shownName(image)} size="lg">
      <Stack gap="sm">
        <img src={image.url} alt={image.alt} style={{ maxWidth: '100%', maxHeight: 280, alignSelf: 'center' }} />
        <Text size="sm" c="dimmed">
          {text.source[image.source]} <When iso={image.created_at} />.{' '}
          {text.size(image.width, image.height, formatBytes(image.bytes))}.{' '}
          {image.variants.wanted > 0 && text.variants(image.variants.made, image.variants.wanted)}{' '}
          {image.variants.failed > 0 && text.variantsFailed(image.variants.failed)}
        </Text>
        <CopyField value={image.url} what={text.url} />
        <ImageWords listed={listed} saved={image} onSaved={() => current.refetch()} />
        <Title order={3} size="h5">
          {text.uses}
        </Title>
        <QueryProblem query={uses} />
        {found?.length === 0 && <Text size="sm">{text.usesNone}</Text>}
        {found !== undefined && found.length > 0 && <ImageUses uses={found} />}
        <LoadMore list={uses} />
        <Group justify="flex-end">
          <Button color="red" disabled={found === undefined} onClick={() => setDeleting(true)}>
            {text.delete}
          </Button>
        </Group>
      </Stack>
      {deleting && (
        <DeleteImage
          image={image}
          uses={found ?? []}
          onRefused={() => uses.refetch()}
          onDeleted={onClose}
          onClose={() => setDeleting(false)}
        />
      )}
    </Dialog>
  );
}

const shownName = ({ name }: Image): string => (name === '' ? text.unnamed : name);

/** Deletes the image after saying who will miss it. */
function DeleteImage(props: {
  image: Image;
  uses: readonly ImageUse[];
  /** It may have been published since, which changes the question. */
  onRefused: () => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const does = whatDeletingDoes(props.uses);
  const remove = async () => {
    try {
      await deleteImage({
        path: { projectId, imageId: props.image.id },
        ...(does.force && { query: { force: 'true' } }),
        throwOnError: true,
      });
    } catch (error) {
      await props.onRefused();
      throw error;
    }
    props.onDeleted();
    await libraryChanged(queries);
    notify.done(text.deleted);
  };
  return (
    <ConfirmDialog
      opened
      danger
      title={text.deleteTitle(shownName(props.image))}
      confirm={does.force ? text.deleteForce : text.deleteConfirm}
      onConfirm={remove}
      onClose={props.onClose}
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
  );
}
