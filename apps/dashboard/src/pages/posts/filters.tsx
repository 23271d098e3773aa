import { NativeSelect } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Tag } from 'lucide-react';
import type { BlogCounts } from '../../generated/types.gen.ts';
import { SearchField } from '../../parts/lists/search-field.tsx';
import { posts as text } from '../../strings/posts.ts';
import styles from './filters.module.css';
import { sortedBy, sortOf, type Order, type PostsSearch, type PostsSort } from './search.ts';

const SEARCH_AFTER_MS = 250;

/** Narrows the list to words and a tag. Each change starts at the first page. */
export function Filters(props: {
  search: PostsSearch;
  tags: BlogCounts['tags'];
  onChange: (search: PostsSearch) => void;
}) {
  const { search, tags, onChange } = props;
  const first = (change: PostsSearch): PostsSearch => ({
    ...search,
    ...change,
    cursor: undefined,
    page: undefined,
  });
  const find = useDebouncedCallback((q: string) => onChange(first({ q: q || undefined })), { delay: SEARCH_AFTER_MS });
  const sorted = sortOf(search);
  // A tag that no post has any more can still be taken off.
  const known = tags.some(({ name }) => name === search.tag) || search.tag === undefined;
  return (
    <div className={styles['filters']}>
      <SearchField label={text.search} hint={text.searchHint} given={search.q ?? ''} onSearch={find} />
      <NativeSelect
        aria-label={text.tag}
        leftSection={<Tag />}
        className={styles['choice'] ?? ''}
        value={search.tag ?? ''}
        onChange={(event) => onChange(first({ tag: event.currentTarget.value || undefined }))}
        data={[
          { value: '', label: text.allTags },
          ...(known ? [] : [{ value: search.tag ?? '', label: search.tag ?? '' }]),
          ...tags.map(({ name, count }) => ({ value: name, label: `${name} (${count})` })),
        ]}
      />
      {/* Wide windows have the columns' headers. */}
      <NativeSelect
        hiddenFrom="sm"
        aria-label={text.sort}
        className={styles['choice'] ?? ''}
        value={`${sorted.sort} ${sorted.order}`}
        onChange={(event) => {
          const [sort, order] = event.currentTarget.value.split(' ') as [PostsSort, Order];
          onChange(sortedBy(search, sort, order));
        }}
        data={Object.entries(text.sorts).map(([value, label]) => ({ value, label }))}
      />
    </div>
  );
}
