import { useEffect, useState, type ComponentType } from 'react';
import { soon } from './soon.ts';

/**
 * A component that no first paint needs: null until its code is loaded, which happens soon, or when `need` asks for it.
 * Loading it before it is needed keeps it working offline.
 */
export function useLate<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const need = () => load().then((loaded) => setComponent(() => loaded));
  useEffect(() => soon(() => void need().catch(() => undefined)), []);
  return { Component, need };
}
