import { useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { notify } from '../../parts/notify.ts';

/** On Apple’s devices the shortcut is ⌘K, elsewhere Ctrl+K. */
export const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** The palette, whose code is loaded when it is first asked for: by its button, or by the shortcut on any page. */
export function usePalette(): { readonly open: () => void; readonly palette: ReactNode } {
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => {
    setIsOpen(true);
    import('./palette.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      (error: unknown) => {
        setIsOpen(false);
        notify.failed(error);
      },
    );
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A field that has a use of its own for the keys goes first.
      if (event.defaultPrevented || event.key.toLowerCase() !== 'k') return;
      if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      // A dialog asks for an answer first.
      if (document.querySelector('[role=dialog]') !== null) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  return { open, palette: isOpen && Palette !== null && <Palette onClose={() => setIsOpen(false)} /> };
}
