import { common } from '../../strings/common.ts';
import styles from './brand.module.css';

/** The mark, a page that broadcasts, and the name. With the mark alone, the link around it has the name. */
export function Brand({ markOnly = false }: { markOnly?: boolean }) {
  return (
    <span className={styles['brand']}>
      <svg aria-hidden width="22" height="22" viewBox="0 0 24 24" className={styles['mark']}>
        <path d="M5 4h7l4 4v12H5z" />
        <path d="M8.5 12h4M8.5 16h4M19 9.5a5 5 0 0 1 0 5M21.5 7a9 9 0 0 1 0 10" />
      </svg>
      {!markOnly && <span className={styles['name']}>{common.product}</span>}
    </span>
  );
}
