/** What a toast offers to do, such as Undo or View. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'neutral' | 'danger';
  readonly title?: string | undefined;
  readonly message: string;
  readonly action?: ToastAction | undefined;
  /** Null for one that stays until it is closed. */
  readonly staysMs: number | null;
}

/** The newest ones; more would hide the page. */
const MAX_TOASTS = 3;

let toasts: readonly Toast[] = [];
let newest = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  listeners.forEach((listener) => listener());
}

export function showToast(toast: Omit<Toast, 'id'>): void {
  newest += 1;
  set([...toasts, { ...toast, id: newest }].slice(-MAX_TOASTS));
}

export function closeToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export const currentToasts = (): readonly Toast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
