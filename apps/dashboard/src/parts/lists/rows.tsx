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
  /** In place of an icon: initials of an email address or a name. */
  email?: string;
  /** In place of both. */
  picture?: string;
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
}) {
  const { icon: Icon, email, picture, title, note, actions } = props;
  return (
    <li className={styles['row']}>
      {Icon && (
        <span className={styles['icon']}>
          <Icon />
        </span>
      )}
      {email !== undefined && <Initials email={email} />}
      {picture !== undefined && <Portrait url={picture} />}
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

/** A person's picture, small. */
export const Portrait = ({ url }: { url: string }) => (
  <span className={styles['initials']} aria-hidden>
    <img className={styles['portrait']} src={url} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" />
  </span>
);
