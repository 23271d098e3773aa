import { useEffect, useState } from 'react';
import { lastProject } from '../pages/start/last-project.ts';
import type { Reader } from './read-reader.ts';

/** Samples show the reader's own values. The session's code is loaded only where this browser has opened a project. */
export function useReader(): Reader | null {
  const [reader, setReader] = useState<Reader | null>(null);
  useEffect(() => {
    const projectId = lastProject();
    if (projectId === null) return;
    import('./read-reader.ts').then(({ readReader }) => readReader(projectId)).then(setReader, () => setReader(null));
  }, []);
  return reader;
}
