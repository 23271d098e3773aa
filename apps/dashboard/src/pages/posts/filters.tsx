import { Group, NativeSelect } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchField } from '../../parts/lists/search-field.tsx';
import { posts as text } from '../../strings/posts.ts';
import { FILTERS, type PostsFilter, type PostsSearch } from './search.ts';

const SEARCH_AFTER_MS = 250;

/** Narrows the list to words and a state; each change begins at the first page. */
export function Filters({ search, onChange }: { search: PostsSearch; onChange: (search: PostsSearch) => void }) {
  const find = useDebouncedCallback((q: string) => onChange({ ...search, q: q || undefined, cursor: undefined }), {
    delay: SEARCH_AFTER_MS,
  });
  return (
    <Group align="flex-end" gap="sm">
      <SearchField label={text.search} hint={text.searchHint} given={search.q ?? ''} onSearch={find} />
      <NativeSelect
        label={text.state}
        value={search.show ?? ''}
        onChange={(event) =>
          onChange({ ...search, show: (event.currentTarget.value || undefined) as PostsFilter, cursor: undefined })
        }
        data={[{ value: '', label: text.all }, ...FILTERS.map((value) => ({ value, label: text[value] }))]}
      />
    </Group>
  );
}
