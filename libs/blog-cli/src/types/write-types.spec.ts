import ts from 'typescript';
import { writeTypes, type DataField } from './write-types.ts';

const field = (fields: Partial<DataField> & Pick<DataField, 'name' | 'kind'>): DataField => ({
  label: 'Any',
  help: '',
  choices: [],
  json_schema: null,
  ...fields,
});
const faultsOf = (text: string) =>
  ts
    .transpileModule(text, { reportDiagnostics: true, fileName: 'data.ts' })
    .diagnostics?.map(({ messageText }) => messageText);

describe('the types of a project’s data', () => {
  it('have a property for each field, with its label and hint', () => {
    const text = writeTypes([
      field({ name: 'rating', kind: 'number', label: 'Rating', help: '1 to 5' }),
      field({ name: 'size', kind: 'choice', choices: ['S', '"M"'] }),
      field({ name: 'next_post', kind: 'post' }),
      field({ name: 'day', kind: 'date' }),
      field({ name: 'any', kind: 'json' }),
    ]);
    expect(text).toBe(`// Written by "blog types" from the project’s data fields. Do not edit: run it again.

/** The data of a post. Every field may be missing. */
export interface PostData {
  /** Rating. 1 to 5 */
  rating?: number;
  /** Any */
  size?: "S" | "\\"M\\"";
  /** Any */
  next_post?: { id: string; slug: string } | null;
  /** Any */
  day?: string;
  /** Any */
  any?: unknown;
}
`);
    expect(faultsOf(text)).toEqual([]);
  });

  it('follow JSON Schemas', () => {
    const step = {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to do */' },
        'per minute': { type: ['integer', 'null'] },
      },
      required: ['text', 'number'],
      additionalProperties: false,
    };
    const text = writeTypes([
      field({ name: 'steps', kind: 'json', json_schema: { type: 'array', items: step } }),
      field({ name: 'level', kind: 'json', json_schema: { enum: ['low', 1, null] } }),
      field({ name: 'open', kind: 'json', json_schema: { type: 'object' } }),
    ]);
    expect(text).toContain(`  steps?: Array<{
    /** What to do *∕ */
    text: string;
    "per minute"?: number | null;
    number: unknown;
  }>;`);
    expect(text).toContain('  level?: "low" | 1 | null;');
    expect(text).toContain('  open?: {\n    [name: string]: unknown;\n  };');
    expect(faultsOf(text)).toEqual([]);
  });

  it('are an empty interface without fields', () => {
    expect(writeTypes([])).toMatch(/export interface PostData \{\}\n$/);
  });
});
