import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import styles from './home.module.css';

/** A short list of posts on Home, with a link to all of them. */
export function HomeList(props: {
  title: string;
  /** The link to the page that has them all. */
  all: ReactNode;
  query: { readonly isPending: boolean; readonly error: unknown; refetch: () => Promise<unknown> };
  /** The rows; null until they are known. */
  rows: readonly ReactNode[] | null;
  none: string;
}) {
  const { title, all, query, rows, none } = props;
  return (
    <section aria-label={title} className={styles['section']}>
      <div className={styles['sectionHead']}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {all}
      </div>
      <QueryProblem query={query} />
      {query.isPending && <Loading rows={3} />}
      {rows?.length === 0 && (
        <Paper withBorder className={styles['calm']}>
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        </Paper>
      )}
      {rows !== null && rows.length > 0 && (
        <Paper withBorder component="ul" className={styles['rows']}>
          {rows}
        </Paper>
      )}
    </section>
  );
}
