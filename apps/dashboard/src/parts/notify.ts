import { common } from '../strings/common.ts';
import { explainError } from './explain-error.ts';
import { showToast, type ToastAction } from './toasts/toast-store.ts';

const DONE_MS = 4_000;
const UNDO_MS = 6_000;
const FAILED_MS = 10_000;

/** Toasts, without a full stop. What must not be missed belongs into the page. */
export const notify = {
  /** What was done, with Undo where it can be undone, or View where it is to be seen. */
  done(message: string, action?: ToastAction): void {
    showToast({ tone: 'neutral', message, action, staysMs: DONE_MS });
  },
  /**
   * What is about to be done, and can't be undone afterwards: it is done once the toast is gone, unless someone chooses
   * Undo. A page that closes does it right away, so calls of `run` need `keepalive`.
   */
  soon(message: string, run: () => void, onUndo: () => void = () => undefined): void {
    const undo = () => {
      onUndo();
      notify.done(common.undone);
    };
    showToast({ tone: 'neutral', message, action: { label: common.undo, run: undo }, onGone: run, staysMs: UNDO_MS });
  },
  /** What another person did. It stays until it is closed. */
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
