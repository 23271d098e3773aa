import { useEffect, useState, type ComponentType } from 'react';
import { soon } from '../../parts/later/soon.ts';

/**
 * Prepares the editor on a page that leads to it: loads its code and draws an empty post, because code is compiled when
 * it first runs. People who save data are spared the download.
 */
export function EditorSoon() {
  const [WarmUp, setWarmUp] = useState<ComponentType | null>(null);
  useEffect(
    () =>
      soon(() => {
        const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
        if (savesData || !navigator.onLine) return;
        import('./warm-up.tsx').then(
          (loaded) => setWarmUp(() => loaded.WarmUp),
          () => undefined,
        );
      }),
    [],
  );
  return WarmUp && <WarmUp />;
}
