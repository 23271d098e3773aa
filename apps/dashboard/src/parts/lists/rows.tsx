import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './rows.module.css';

/** A short list in a card: `Row`s, of which each has a title, a note and its actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles['rows']} aria-label={label}>
      {children}
    </ul>
  );
}

export function Row(props: {
  icon?: LucideIcon;
  /** In place of an icon. */
  email?: string;
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
}) {
  const { icon: Icon, email, title, note, actions } = props;
  return (
    <li className={styles['row']}>
      {Icon && (
        <span className={styles['icon']}>
          <Icon />
        </span>
      )}
      {email !== undefined && <Initials email={email} />}
      <div className={styles['text']}>
        <div className={styles['title']}>{title}</div>
        {note !== undefined && <div className={styles['note']}>{note}</div>}
      </div>
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </li>
  );
}

/** A person's initials, in place of a picture. */
export function Initials({ email }: { email: string }) {
  const words = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '?', second = ''] = words;
  return (
    <span className={styles['initials']} aria-hidden>
      {`${first.charAt(0)}${second.charAt(0)}`.toUpperCase()}
    </span>
  );
}
