import { z } from 'zod';
import { declareExtras } from './declare-extras.ts';

const {
  examples,
  of: valuesOf,
  for: valuesFor,
  given,
  images,
  imagesOf,
  keptFor,
  namesOnRequest,
  requested,
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
  parts: {
    schema: z.array(z.object({ name: z.string() })).meta({ examples: [[{ name: 'Hot' }]] }),
    default: [],
    to: ['public', 'webhooks'],
    onRequest: true,
  },
  subtitle: {
    schema: z
      .string()
      .nullable()
      .meta({ examples: ['Hot'] }),
    default: null,
    to: ['public'],
    onRequest: true,
    isImage: true,
  },
});

describe('extra fields of posts', () => {
  it('have their stored values, and defaults where a post was written without them', () => {
    expect(valuesOf({ sponsored: true, unknown: 1 })).toEqual({
      sponsored: true,
      byline: '',
      source: 'desk',
      parts: [],
      subtitle: null,
    });
    expect(valuesOf(null)).toEqual({ sponsored: false, byline: '', source: 'desk', parts: [], subtitle: null });
  });

  it('reach only the audiences that they name', () => {
    expect(valuesFor('public', examples)).toEqual({ sponsored: true, byline: 'Ada' });
    expect(valuesFor('webhooks', examples)).toEqual({ sponsored: true });
    expect(Object.keys(shape)).toEqual(['sponsored', 'byline', 'source', 'parts', 'subtitle']);
    expect(Object.keys(shapeFor('webhooks'))).toEqual(['sponsored']);
  });

  it('are taken from a request where it has them', () => {
    expect(given({ title: 'Tea', sponsored: false })).toEqual({ sponsored: false });
    expect(given({ title: 'Tea' })).toBeUndefined();
  });

  it('change their texts as the caller asks', () => {
    const upper = (text: string) => text.toUpperCase();
    expect(valuesOf({ byline: 'Ada' }, upper)).toEqual({
      sponsored: false,
      byline: 'ADA',
      source: 'DESK',
      parts: [],
      subtitle: null,
    });
    expect(given({ byline: 'Ada' }, upper)).toEqual({ byline: 'ADA' });
    expect(given({ parts: [{ name: 'Hot' }] }, upper)).toEqual({ parts: [{ name: 'HOT' }] });
  });

  it('may be for those who ask', () => {
    expect(namesOnRequest('public')).toEqual(['parts', 'subtitle']);
    expect(namesOnRequest('webhooks')).toEqual(['parts']);
    expect(requested('public', ['subtitle', 'byline', 'unknown'], { subtitle: 'Hot' })).toEqual({ subtitle: 'Hot' });
    expect(requested('webhooks', ['parts', 'subtitle'], { subtitle: 'Hot' })).toEqual({ parts: [] });
  });

  it('are kept for those who ask only where they are not the default', () => {
    expect(keptFor('public', {})).toEqual({ sponsored: false, byline: '' });
    expect(keptFor('public', { parts: [{ name: 'Hot' }], subtitle: '' })).toEqual({
      sponsored: false,
      byline: '',
      parts: [{ name: 'Hot' }],
    });
  });

  it('may be images', () => {
    expect(images).toEqual(['subtitle']);
    expect(imagesOf({ byline: 'Ada', subtitle: 'Hot' })).toEqual(['Hot']);
    expect(imagesOf({})).toEqual([]);
  });

  it('are null rather than a text of nothing, where null is the default', () => {
    expect(given({ subtitle: '', byline: '' })).toEqual({ subtitle: null, byline: '' });
  });
});
