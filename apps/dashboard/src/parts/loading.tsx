import { common } from '../strings/common.ts';
import styles from './loading.module.css';
import { QueryProblem } from './problem.tsx';

/** Lines where text and rows will be. They show after 150 ms: what comes sooner does not flicker. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" aria-label={common.loading} className={styles['loading']}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles['row']} />
      ))}
    </div>
  );
}

/** That a query is on its way, or why it has failed. */
export function ToCome({ query }: { query: { isPending: boolean; error: unknown; refetch: () => Promise<unknown> } }) {
  return query.isPending ? <Loading /> : <QueryProblem query={query} />;
}
