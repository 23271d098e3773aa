import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import styles from './fold.module.css';

/** What most people do not need, behind its title. `opened` shows it anyway, such as a field in it that was refused. */
export function Fold({ title, opened = false, children }: { title: string; opened?: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles['fold']}
      open={isOpen || opened}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <ChevronRight />
        {title}
      </summary>
      <div className={styles['content']}>{children}</div>
    </details>
  );
}
