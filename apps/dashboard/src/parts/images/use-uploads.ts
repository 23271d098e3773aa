import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { explainError } from '../explain-error.ts';
import { MAX_UPLOAD_BYTES, sendImage } from './upload-image.ts';
import { images as text } from '../../strings/images.ts';
import { libraryChanged } from './library-changed.ts';

export interface Upload {
  readonly key: string;
  readonly file: File;
  readonly status: 'waiting' | 'sending' | 'done' | 'there' | 'failed';
  readonly reason: string | null;
}

export interface Uploads {
  readonly list: readonly Upload[];
  readonly add: (files: readonly File[]) => void;
  readonly retry: () => void;
  readonly clear: () => void;
}

/** Sends files one after the other: the service would queue parallel uploads anyway. */
export function useUploads(projectId: string): Uploads {
  const queries = useQueryClient();
  const [list, setList] = useState<readonly Upload[]>([]);
  const busy = list.some(({ status }) => status === 'sending');
  const next = busy ? undefined : list.find(({ status }) => status === 'waiting');
  useEffect(() => {
    if (next === undefined) return;
    const set = (change: Partial<Upload>) =>
      setList((before) => before.map((each) => (each.key === next.key ? { ...each, ...change } : each)));
    set({ status: 'sending' });
    void send(projectId, next.file)
      .then(
        ({ isNew }) => set({ status: isNew ? 'done' : 'there' }),
        (error: unknown) => set({ status: 'failed', reason: reasonOf(error) }),
      )
      .then(() => {
        void libraryChanged(queries);
      });
  }, [next, projectId, queries]);
  return {
    list,
    add: (files) =>
      setList((before) => [
        ...before,
        ...files.map((file) => ({ key: crypto.randomUUID(), file, status: 'waiting' as const, reason: null })),
      ]),
    retry: () =>
      setList((before) =>
        before.map((each) => (each.status === 'failed' ? { ...each, status: 'waiting', reason: null } : each)),
      ),
    clear: () => setList((before) => before.filter(({ status }) => status === 'waiting' || status === 'sending')),
  };
}

/** A connection that the service cuts off for what is too large says no more than that. */
async function send(projectId: string, file: File) {
  if (file.size > MAX_UPLOAD_BYTES) throw new TooLarge();
  return sendImage(projectId, file);
}

class TooLarge extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof TooLarge) return text.tooLarge;
  const { detail, fields, todo } = explainError(error);
  const said = fields.map(({ message }) => message).join('; ');
  return said === '' ? (detail ?? todo) : said;
}
