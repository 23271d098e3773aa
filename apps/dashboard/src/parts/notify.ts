import { explainError } from './explain-error.ts';
import { showToast, type ToastAction } from './toasts/toast-store.ts';

const DONE_MS = 4_000;
const FAILED_MS = 10_000;

/** Toasts, without a full stop. What must not be missed belongs into the page. */
export const notify = {
  /** What was done, with Undo where it can be undone, or View where it is to be seen. */
  done(message: string, action?: ToastAction): void {
    showToast({ tone: 'neutral', message, action, staysMs: DONE_MS });
  },
  /** What somebody else did. It stays until it is closed. */
  news(message: string): void {
    showToast({ tone: 'neutral', message, staysMs: null });
  },
  /** What was not even asked for, and why. */
  refused(message: string): void {
    showToast({ tone: 'danger', message, staysMs: FAILED_MS });
  },
  failed(error: unknown): void {
    const { title, detail, todo } = explainError(error);
    showToast({
      tone: 'danger',
      title,
      message: detail === null ? todo : `${detail} ${todo}`,
      staysMs: FAILED_MS,
    });
  },
};
