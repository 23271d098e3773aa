import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import styles from './fold.module.css';

/** Advanced fields, folded away until `opened`: one of them has a value or an error. */
export function Fold({ title, opened = false, children }: { title: string; opened?: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(opened);
  const [wasOpened, setWasOpened] = useState(opened);
  // While drawing, not after it: a refused field in it takes the focus then.
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setIsOpen(true);
  }
  return (
    <details className={styles['fold']} open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <ChevronRight />
        {title}
      </summary>
      <div className={styles['content']}>{children}</div>
    </details>
  );
}
