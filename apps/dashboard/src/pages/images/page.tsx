import { Box, Button, FileButton, Group, NativeSelect, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Link as LinkIcon, Upload } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listImagesInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Image } from '../../generated/types.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { SearchField } from '../../parts/lists/search-field.tsx';
import { ImageGrid } from '../../parts/images/image-grid.tsx';
import { IMAGE_TYPES } from '../../parts/images/upload-image.ts';
import { images as text } from '../../strings/images.ts';
import { FetchDialog } from './fetch-dialog.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { Quota } from './quota.tsx';
import { imagesQuery, type ImagesFilter, type ImagesSearch } from './search.ts';
import { UploadList } from '../../parts/images/upload-list.tsx';
import { useUploads } from '../../parts/images/use-uploads.ts';

const PAGE_SIZE = 40;
const SEARCH_AFTER_MS = 250;

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/images' });
  const navigate = useNavigate({ from: '/projects/$projectId/images' });
  const [opened, setOpened] = useState<Image | null>(null);
  const [fetching, setFetching] = useState(false);
  const uploads = useUploads(projectId);
  const list = useInfiniteQuery({
    ...listImagesInfiniteOptions({ path: { projectId }, query: imagesQuery(search, PAGE_SIZE) }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const show = (next: ImagesSearch) => void navigate({ search: next, replace: true });
  const find = useDebouncedCallback((q: string) => show({ ...search, q: q || undefined }), {
    delay: SEARCH_AFTER_MS,
  });
  const narrowed = search.q !== undefined || search.show !== undefined;
  const uploadButton = (
    <FileButton accept={IMAGE_TYPES} multiple onChange={uploads.add}>
      {(props) => (
        <Button leftSection={<Upload />} {...props}>
          {text.upload}
        </Button>
      )}
    </FileButton>
  );
  return (
    <Box
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        uploads.add([...event.dataTransfer.files]);
      }}
    >
      <PageFrame
        title={text.title}
        actions={
          <>
            <Button variant="default" leftSection={<LinkIcon />} onClick={() => setFetching(true)}>
              {text.fromUrl}
            </Button>
            {uploadButton}
          </>
        }
      >
        <Quota />
        <UploadList uploads={uploads} />
        <Group align="flex-end" gap="sm">
          <SearchField label={text.search} hint={text.searchHint} given={search.q ?? ''} onSearch={find} />
          <NativeSelect
            aria-label={text.show}
            value={search.show ?? ''}
            onChange={(event) => show({ ...search, show: (event.currentTarget.value || undefined) as ImagesFilter })}
            data={[
              { value: '', label: text.all },
              { value: 'used', label: text.used },
              { value: 'unused', label: text.unused },
            ]}
          />
        </Group>
        <QueryProblem query={list} />
        {list.isPending && <Loading />}
        {items.length > 0 && <ImageGrid images={items} nameOf={text.open} onOpen={setOpened} />}
        {list.data && items.length === 0 && (
          <EmptyState
            title={narrowed ? text.noneTitle : text.emptyTitle}
            action={narrowed ? <Button onClick={() => show({})}>{text.showAll}</Button> : uploadButton}
          >
            {narrowed ? text.noneText : text.emptyText}
          </EmptyState>
        )}
        <LoadMore list={list} />
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {text.dropHere}
        </Text>
        {opened !== null && <ImageDialog image={opened} onClose={() => setOpened(null)} />}
        {fetching && <FetchDialog onClose={() => setFetching(false)} />}
      </PageFrame>
    </Box>
  );
}
