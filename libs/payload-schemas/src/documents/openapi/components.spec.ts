import { z } from 'zod';
import { createComponents } from './components.ts';

const colour = z.enum(['red', 'green']);
const paint = z.object({ colour, litres: z.int().default(1) });
const order = z.object({ paint, to: z.string().describe('Where to.') });
const names = new Map<z.ZodType, string>([
  [colour, 'Colour'],
  [paint, 'Paint'],
  [order, 'Order'],
]);
const components = () => createComponents((schema) => names.get(schema));

describe('components', () => {
  it('are declared once, and referred to everywhere else', () => {
    const { refer, finish } = components();
    const { document, schemas } = finish([refer(order, 'output'), refer(z.array(colour), 'output')]);
    expect(document).toEqual([
      { $ref: '#/components/schemas/Order' },
      { type: 'array', items: { $ref: '#/components/schemas/Colour' } },
    ]);
    expect(Object.keys(schemas)).toEqual(['Colour', 'Order', 'Paint']);
    expect(schemas['Order']).toMatchObject({
      properties: { paint: { $ref: '#/components/schemas/Paint' }, to: { description: 'Where to.' } },
    });
  });

  it('have an input variant when what is sent differs, and so has what refers to them', () => {
    const { refer, finish } = components();
    const { document, schemas } = finish({ sent: refer(order, 'input'), answered: refer(order, 'output') });
    expect(document).toEqual({
      sent: { $ref: '#/components/schemas/OrderInput' },
      answered: { $ref: '#/components/schemas/Order' },
    });
    expect(Object.keys(schemas)).toEqual(['Colour', 'Order', 'OrderInput', 'Paint', 'PaintInput']);
    expect(schemas['OrderInput']).toMatchObject({ properties: { paint: { $ref: '#/components/schemas/PaintInput' } } });
    expect(schemas['PaintInput']).toMatchObject({ required: ['colour'] });
    expect(schemas['Paint']).toMatchObject({ required: ['colour', 'litres'] });
  });

  it('keep their own name when they are only sent', () => {
    const { refer, finish } = components();
    expect(finish(refer(paint, 'input')).document).toEqual({ $ref: '#/components/schemas/Paint' });
  });

  it('refuse two schemas of one name', () => {
    const { refer } = createComponents((schema) => (schema instanceof z.ZodObject ? 'Thing' : undefined));
    refer(z.object({ a: z.string() }), 'output');
    expect(() => refer(z.object({ b: z.string() }), 'output')).toThrow('Two schemas are the component Thing.');
  });

  it('hold any JSON value under one name', () => {
    const { refer, finish } = components();
    const { document, schemas } = finish(refer(z.object({ before: z.json(), after: z.json() }), 'output'));
    expect(document).toMatchObject({
      properties: {
        before: { $ref: '#/components/schemas/JsonValue' },
        after: { $ref: '#/components/schemas/JsonValue' },
      },
    });
    expect(Object.keys(schemas)).toEqual(['JsonValue']);
  });
});
