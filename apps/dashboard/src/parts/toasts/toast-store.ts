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
  /** Runs once the toast is gone or the page closes, unless its action was chosen. */
  readonly onGone?: (() => void) | undefined;
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
  const all = [...toasts, { ...toast, id: newest }];
  set(all.slice(-MAX_TOASTS));
  all.slice(0, -MAX_TOASTS).forEach(({ onGone }) => onGone?.());
}

export function closeToast(id: number): void {
  takeToast(id)?.onGone?.();
}

/** Its action replaces what would have followed. */
export function chooseAction(id: number): void {
  takeToast(id)?.action?.run();
}

/** Nothing that was announced gets lost with the page. */
export function closeToasts(): void {
  toasts.forEach(({ id }) => closeToast(id));
}

/** Undefined if it is already gone, so that what follows it happens once. */
function takeToast(id: number): Toast | undefined {
  const taken = toasts.find((toast) => toast.id === id);
  set(toasts.filter((toast) => toast !== taken));
  return taken;
}

export const currentToasts = (): readonly Toast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
