import { ScrollArea, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listImagesInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Image } from '../../generated/types.gen.ts';
import { imagePicker as text, images } from '../../strings/images.ts';
import { LoadMore } from '../lists/load-more.tsx';
import { morePages } from '../lists/more-pages.ts';
import { SearchField } from '../lists/search-field.tsx';
import { Loading } from '../loading.tsx';
import { QueryProblem } from '../problem.tsx';
import { useProject } from '../project.tsx';
import { ImageGrid } from './image-grid.tsx';

const PAGE_SIZE = 24;

/** The project's images, to choose one. */
export function LibraryChoice({ chosen, onChoose }: { chosen: Image | null; onChoose: (image: Image) => void }) {
  const { id: projectId } = useProject();
  const [q, setQ] = useState('');
  const [asked] = useDebouncedValue(q, 250);
  const list = useInfiniteQuery({
    ...listImagesInfiniteOptions({
      path: { projectId },
      query: { limit: PAGE_SIZE, ...(asked !== '' && { q: asked }) },
    }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <SearchField label={images.search} hint={images.searchHint} given="" onSearch={setQ} />
      <QueryProblem query={list} />
      {list.isPending && <Loading />}
      {list.data && items.length === 0 && <Text c="dimmed">{asked === '' ? images.emptyTitle : images.noneTitle}</Text>}
      {items.length > 0 && (
        <ScrollArea.Autosize mah={320} offsetScrollbars>
          <ImageGrid
            images={items}
            nameOf={text.chooseImage}
            onOpen={onChoose}
            {...(chosen && { chosenId: chosen.id })}
          />
          <LoadMore list={list} />
        </ScrollArea.Autosize>
      )}
    </>
  );
}
