import type { GenerationSettings } from '../../../generated/types.gen.ts';
import { fieldsOf, requestOf, testRequestOf } from './model-request.ts';

const settings = {
  base_url: 'https://models.example/v1',
  api_key: '…cdef',
  model: 'm',
  image_model: null,
  input_price: 1,
  output_price: 2.5,
  image_price: 0,
  job_budget: null,
  month_budget: 20,
  job_tokens: null,
  month_tokens: null,
} as GenerationSettings;

describe('saving which model writes', () => {
  it('keeps everything that was not touched, and the saved key', () => {
    const request = requestOf(fieldsOf(settings));
    expect(request).not.toHaveProperty('api_key');
    expect(request).toMatchObject({
      base_url: 'https://models.example/v1',
      model: 'm',
      image_model: null,
      output_price: 2.5,
      month_budget: 20,
      month_tokens: null,
    });
  });

  it('sends a key that was typed', () => {
    expect(requestOf({ ...fieldsOf(settings), api_key: ' new ' }).api_key).toBe('new');
  });

  it('removes the key if asked to, even if a new one was typed', () => {
    expect(requestOf({ ...fieldsOf(settings), api_key: 'new', removeKey: true }).api_key).toBeNull();
  });

  it('treats an empty limit as the service’s, and an empty price as none', () => {
    const request = requestOf({ ...fieldsOf(settings), month_budget: '', input_price: '' });
    expect(request).toMatchObject({ month_budget: null, input_price: 0 });
  });
});

describe('trying the model of the form', () => {
  it('sends what was typed, and no key where the saved one is meant', () => {
    const fields = fieldsOf(settings);
    expect(testRequestOf(fields)).toEqual({ base_url: 'https://models.example/v1', model: 'm' });
    expect(testRequestOf({ ...fields, model: 'n', api_key: 'new' })).toMatchObject({ model: 'n', api_key: 'new' });
    expect(testRequestOf({ ...fields, removeKey: true }).api_key).toBeNull();
  });

  it('sends nothing without a URL, which tests the service’s model', () => {
    expect(testRequestOf({ ...fieldsOf(settings), base_url: ' ', api_key: 'new' })).toEqual({});
  });
});
