import { useSyncExternalStore } from 'react';

/** `open` once the guide was begun or asked for; it stays open when all steps are done, until someone finishes it. */
type Visibility = 'open' | 'hidden' | 'finished';

const keyOf = (projectId: string) => `blog-content.setup.${projectId}`;
const listeners = new Set<() => void>();

function read(projectId: string): Visibility | null {
  const value = localStorage.getItem(keyOf(projectId));
  return value === 'open' || value === 'hidden' || value === 'finished' ? value : null;
}

export function setSetupGuide(projectId: string, value: Visibility): void {
  if (read(projectId) === value) return;
  localStorage.setItem(keyOf(projectId), value);
  listeners.forEach((listener) => listener());
}

/** Null in a browser that has never shown the guide of this project. */
export function useSetupGuide(projectId: string): Visibility | null {
  return useSyncExternalStore(subscribe, () => read(projectId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
