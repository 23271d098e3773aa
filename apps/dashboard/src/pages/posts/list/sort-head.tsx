import { VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { common } from '../../../strings/common.ts';
import { posts as text } from '../../../strings/posts.ts';
import type { Order, PostsSort } from '../search.ts';
import styles from './posts-list.module.css';

/** The names of the columns; three of them sort the list. */
export function SortHead(props: {
  all: ReactNode;
  sort: PostsSort;
  order: Order;
  onSort: (column: PostsSort) => void;
}) {
  const column = (name: PostsSort, label: string) => {
    const isSorted = props.sort === name;
    const Arrow = props.order === 'asc' ? ArrowUp : ArrowDown;
    return (
      <th scope="col" data-column={name} aria-sort={isSorted ? SORTED[props.order] : 'none'}>
        <button type="button" className={styles['sort']} data-sorted={isSorted} onClick={() => props.onSort(name)}>
          {label}
          <Arrow aria-hidden />
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr>
        <th className={styles['tickCell']}>{props.all}</th>
        {column('title', text.columnTitle)}
        <th scope="col" data-column="state">
          {text.columnState}
        </th>
        {column('updated_at', text.columnUpdated)}
        {column('published_at', text.columnPublished)}
        <th className={styles['menuCell']}>
          <VisuallyHidden>{common.actions}</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

const SORTED = { asc: 'ascending', desc: 'descending' } as const;
