import type { BrandVoice } from '../../../generated/types.gen.ts';
import { fieldsOf, isEmpty, requestOf } from './voice-request.ts';

const NOTHING: BrandVoice = {
  ...{ version: 0, voice: '', audience: '', facts: [], words_to_use: [], words_to_avoid: [], glossary: [] },
  ...{ sources: [], updated_at: null },
};

it('a brand voice comes back from its form as it was', () => {
  const {
    version: _version,
    updated_at: _updated,
    ...document
  } = {
    ...NOTHING,
    voice: 'Calm.',
    facts: ['One.', 'Two.'],
    words_to_avoid: ['cheap'],
    glossary: [{ term: 'levain', meaning: 'A starter' }],
    sources: [{ title: 'Prices', text: 'One\n\ntwo' }],
  };
  expect(requestOf(fieldsOf({ ...NOTHING, ...document }))).toEqual(document);
});

it('empty lines and rows are left out', () => {
  const typed = { ...fieldsOf(NOTHING), facts: '\n One. \n\n', glossary: [{ term: ' ', meaning: '' }] };
  expect(requestOf(typed)).toMatchObject({ facts: ['One.'], glossary: [] });
  const half = { ...fieldsOf(NOTHING), sources: [{ title: '', text: 'Text' }] };
  expect(requestOf(half).sources).toHaveLength(1);
});

it('a brand voice is empty while none of its parts has anything', () => {
  expect(isEmpty({ ...NOTHING, version: 4 })).toBe(true);
  expect(isEmpty({ ...NOTHING, facts: ['One.'] })).toBe(false);
});
