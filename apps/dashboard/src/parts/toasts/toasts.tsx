import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { common } from '../../strings/common.ts';
import { chooseAction, closeToast, closeToasts, currentToasts, onToasts, type Toast } from './toast-store.ts';
import styles from './toasts.module.css';

/** Where `notify` shows its toasts: at the bottom, read out as they come. */
export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  useEffect(() => {
    window.addEventListener('pagehide', closeToasts);
    return () => window.removeEventListener('pagehide', closeToasts);
  }, []);
  return (
    <section className={styles['toasts']} aria-label={common.toasts} aria-live="polite">
      {toasts.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function One({ toast }: { toast: Toast }) {
  const { id, tone, title, message, action, staysMs } = toast;
  // It stays while it is hovered or has the focus.
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (staysMs === null || isHeld) return undefined;
    const timer = setTimeout(() => closeToast(id), staysMs);
    return () => clearTimeout(timer);
  }, [id, staysMs, isHeld]);
  return (
    <div
      className={styles['toast']}
      data-tone={tone}
      role={tone === 'danger' ? 'alert' : undefined}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div className={styles['text']}>
        {title !== undefined && <div className={styles['title']}>{title}</div>}
        <div>{message}</div>
      </div>
      {action && (
        <button type="button" className={styles['action']} onClick={() => chooseAction(id)}>
          {action.label}
        </button>
      )}
      <button type="button" className={styles['close']} aria-label={common.close} onClick={() => closeToast(id)}>
        <X />
      </button>
    </div>
  );
}
