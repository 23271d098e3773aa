import { z } from 'zod';
import { declareExtras } from './declare-extras.ts';

const {
  examples,
  of: valuesOf,
  for: valuesFor,
  given,
  shape,
  shapeFor,
} = declareExtras({
  sponsored: { schema: z.boolean().meta({ examples: [true] }), default: false, to: ['public', 'webhooks'] },
  byline: {
    schema: z
      .string()
      .max(80)
      .meta({ examples: ['Ada'] }),
    default: '',
    to: ['public'],
  },
  source: { schema: z.string().meta({ examples: ['wire'] }), default: 'desk', to: [] },
});

describe('extra fields of posts', () => {
  it('have their stored values, and defaults where a post was written without them', () => {
    expect(valuesOf({ sponsored: true, unknown: 1 })).toEqual({ sponsored: true, byline: '', source: 'desk' });
    expect(valuesOf(null)).toEqual({ sponsored: false, byline: '', source: 'desk' });
  });

  it('reach only the audiences that they name', () => {
    expect(valuesFor('public', examples)).toEqual({ sponsored: true, byline: 'Ada' });
    expect(valuesFor('webhooks', examples)).toEqual({ sponsored: true });
    expect(Object.keys(shape)).toEqual(['sponsored', 'byline', 'source']);
    expect(Object.keys(shapeFor('webhooks'))).toEqual(['sponsored']);
  });

  it('are taken from a request where it has them', () => {
    expect(given({ title: 'Tea', sponsored: false })).toEqual({ sponsored: false });
    expect(given({ title: 'Tea' })).toBeUndefined();
  });

  it('change their texts as the caller asks', () => {
    const upper = (text: string) => text.toUpperCase();
    expect(valuesOf({ byline: 'Ada' }, upper)).toEqual({ sponsored: false, byline: 'ADA', source: 'DESK' });
    expect(given({ byline: 'Ada' }, upper)).toEqual({ byline: 'ADA' });
  });
});
