import { useEffect, useState } from 'react';

type LoadState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'loaded'; readonly value: T };

/** A part of the bundle that is fetched once the page needs it. `load` must stay the same. */
export function useLoaded<T>(load: () => Promise<T>): LoadState<T> {
  const [loaded, setLoaded] = useState<LoadState<T>>({ kind: 'loading' });
  useEffect(() => {
    load().then(
      (value) => setLoaded({ kind: 'loaded', value }),
      () => setLoaded({ kind: 'failed' }),
    );
  }, [load]);
  return loaded;
}
