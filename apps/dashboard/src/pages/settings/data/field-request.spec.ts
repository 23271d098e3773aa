import { emptyForm, fieldOf, formOf, nameFrom } from './field-request.ts';

describe('the form of a data field', () => {
  it('suggests a name from the label', () => {
    expect(nameFrom('Price in €')).toBe('price_in');
    expect(nameFrom('2nd Größe')).toBe('nd_gro_e');
    expect(nameFrom('!')).toBe('');
    expect(nameFrom(`${'a'.repeat(49)} b`)).toBe('a'.repeat(49));
  });

  it('sends choices and schemas only with their kind', () => {
    const form = { ...emptyForm, label: 'Size', name: 'size', choices: 'S\n\n M ', json_schema: '{' };
    expect(fieldOf(form)).toMatchObject({ kind: 'text', choices: [], json_schema: null });
    expect(fieldOf({ ...form, kind: 'choice' })).toMatchObject({ choices: ['S', 'M'], json_schema: null });
  });

  it('says what is wrong with a schema', () => {
    const form = { ...emptyForm, kind: 'json' as const };
    expect(fieldOf(form)).toMatchObject({ json_schema: null });
    expect(fieldOf({ ...form, json_schema: '{' })).toEqual({ wrongSchema: 'Enter valid JSON.' });
    expect(fieldOf({ ...form, json_schema: '[]' })).toEqual({ wrongSchema: 'Enter a JSON object.' });
    expect(fieldOf({ ...form, json_schema: '{"type":"string"}' })).toMatchObject({ json_schema: { type: 'string' } });
  });

  it('shows a saved field as it was typed', () => {
    const form = { ...emptyForm, label: 'Size', name: 'size', kind: 'choice' as const, choices: 'S\nM' };
    const field = fieldOf(form);
    expect('name' in field && formOf(field)).toEqual(form);
  });
});
