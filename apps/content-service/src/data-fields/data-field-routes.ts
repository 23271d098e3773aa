import { dataFieldsRequest, type dataFields, type DataField } from '@blog-content/payload-schemas';
import { parseBody, unprocessable } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { ProjectDocument } from '../project-documents/project-document-store.ts';
import { checkDeclarations } from './check-declarations.ts';
import type { DataFieldStore } from './data-field-store.ts';

export interface DataFieldRoutesDependencies {
  readonly dataFields: DataFieldStore;
}

export const dataFieldResource = ({ dataFields: documents }: DataFieldRoutesDependencies) => ({
  path: '/data-fields',
  name: 'list of data fields',
  documents,
  parse(body: unknown): DataField[] {
    const { fields } = parseBody(dataFieldsRequest, body);
    const wrong = checkDeclarations(fields);
    if (wrong.length > 0) throw unprocessable(wrong);
    return fields;
  },
  show: ({ document: fields, version, updatedAt }: ProjectDocument<DataField[]>): z.infer<typeof dataFields> => ({
    version,
    fields,
    updated_at: updatedAt?.toISOString() ?? null,
  }),
});
