import { dataField, DATA_LIMITS } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Archive } from './open-archive.ts';
import { failed, type PlannedFile } from './planned-file.ts';

const settings = z.object({ data_fields: z.array(dataField).max(DATA_LIMITS.fields).default([]) });

/** Plans the data fields that an export declares. */
export async function* planDataFields({ settingsData }: Archive): AsyncGenerator<PlannedFile> {
  if (settingsData === null) return;
  const { path } = settingsData;
  const read = await settingsData.read();
  if ('unreadable' in read) {
    yield failed(path, read.unreadable);
    return;
  }
  const parsed = settings.safeParse(parseJson(read.text));
  if (!parsed.success) yield failed(path, 'has data fields that cannot be read');
  else if (parsed.data.data_fields.length > 0)
    yield { path, status: 'waiting', post: { dataFields: parsed.data.data_fields } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
