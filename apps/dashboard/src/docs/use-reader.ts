import { useEffect, useState } from 'react';
import { lastProject } from '../pages/start/last-project.ts';

/** Who reads, where somebody is signed in: the project that was open last, with its public key. */
export interface Reader {
  readonly project: string;
  readonly projectId: string;
  readonly publicKey: string;
}

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
