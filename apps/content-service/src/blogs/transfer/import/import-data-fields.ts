import type { DataField } from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import { checkDeclarations } from '../../../data-fields/check-declarations.ts';
import { MAX_DATA_FIELDS, type DataFieldStore } from '../../../data-fields/data-field-store.ts';
import type { ImportDataFields, PlannedFile } from '../archive/plan-import.ts';
import { FileConflict, FileRefused, orFileRefused } from './file-refused.ts';
import type { FileResult, ImportStore, WaitingFile } from './import-store.ts';

export interface ImportDataFieldsDependencies {
  readonly imports: Pick<ImportStore, 'withFile'>;
  readonly dataFields: Pick<DataFieldStore, 'find' | 'save'>;
}

export type WaitingDataFields = WaitingFile & { readonly post: ImportDataFields };
export const isDataFields = (file: WaitingFile): file is WaitingDataFields => 'dataFields' in file.post;

/** Those of the fields that the project has not. */
const newOf = (fields: readonly DataField[], known: readonly DataField[]): DataField[] =>
  fields.filter(({ name }) => known.every((one) => one.name !== name));

/** What an import says of the fields that it declares. */
export const noteOnDataFields = (fields: readonly DataField[]): string =>
  `Data fields: ${fields.map(({ label }) => label).join(', ')}.`;

/** The files of a plan, of data fields those that the project has not. */
export async function* withoutKnownDataFields(
  files: AsyncIterable<PlannedFile>,
  known: readonly DataField[],
): AsyncGenerator<PlannedFile> {
  for await (const file of files) {
    if (file.status !== 'waiting' || !('dataFields' in file.post)) yield file;
    else {
      const dataFields = newOf(file.post.dataFields, known);
      if (dataFields.length > 0) yield { ...file, post: { dataFields } };
    }
  }
}

/** Declares fields behind those of the project. They are there before the file's transaction begins, like authors. */
export async function importDataFields(
  { imports, dataFields: documents }: ImportDataFieldsDependencies,
  file: WaitingDataFields,
): Promise<FileResult | null> {
  const { projectId, requestedBy: id, post } = file;
  const { document: known, version } = await documents.find(projectId);
  const added = newOf(post.dataFields, known);
  const all = [...known, ...added];
  if (all.length > MAX_DATA_FIELDS) throw new FileRefused(`Limit reached: ${MAX_DATA_FIELDS} data fields per project.`);
  const check = async () => {
    const wrong = checkDeclarations(all);
    if (wrong.length > 0) throw unprocessable(wrong);
    return added.length === 0 ? null : documents.save({ projectId, id }, all, (current) => current === version);
  };
  const saved = await orFileRefused(check());
  if (saved === 'no_project') throw new FileRefused('Only owners of the project declare data fields.');
  if (saved === 'changed') throw new FileConflict();
  const message = noteOnDataFields(post.dataFields);
  return imports.withFile(file, () => Promise.resolve({ status: 'created', message, blogId: null }));
}
