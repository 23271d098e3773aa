import { fits, readTyped, typedOf, withValue } from './read-typed.ts';

describe('what is typed into the control of a data field', () => {
  it('is a value of the field’s kind', () => {
    expect(readTyped('number', '4.5')).toEqual({ value: 4.5 });
    expect(readTyped('text', ' two words')).toEqual({ value: ' two words' });
    expect(readTyped('url', ' https://tea.example ')).toEqual({ value: 'https://tea.example' });
    expect(readTyped('json', '[1, {"a": null}]')).toEqual({ value: [1, { a: null }] });
    expect(readTyped('date', '2026-03-01')).toEqual({ value: '2026-03-01' });
  });

  it('is no value while it is empty', () => {
    expect(readTyped('json', ' ')).toEqual({ value: undefined });
    expect(withValue({ rating: 1, size: 'S' }, 'rating', undefined)).toEqual({ size: 'S' });
  });

  it('is not saved while it is unfinished', () => {
    expect(readTyped('json', '[1,')).toEqual({ wrong: 'Enter valid JSON.' });
    expect(readTyped('number', 'four')).toEqual({ wrong: 'Enter a number.' });
    expect(readTyped('url', 'https:/')).toEqual({ wrong: 'Enter a full URL, starting with https://' });
  });

  it('fits its field, or is said not to', () => {
    const choices = ['S'];
    const ofKind = (kind: Parameters<typeof fits>[0]['kind'], value: unknown) => fits({ kind, choices }, value);
    const good = { text: 'x', number: 0, boolean: false, date: '2026-03-01', choice: 'S', json: null } as const;
    for (const [kind, value] of Object.entries(good)) expect(ofKind(kind as keyof typeof good, value)).toBe(true);
    expect(ofKind('url', 'https://tea.example')).toBe(true);
    expect(ofKind('post', { post_id: 'a' })).toBe(true);
    expect(ofKind('number', undefined)).toBe(true);
    const bad = { text: 4, number: '4', boolean: 'no', date: 'soon', url: 'tea', choice: 'XL', post: 4 } as const;
    for (const [kind, value] of Object.entries(bad)) expect(ofKind(kind as keyof typeof bad, value)).toBe(false);
  });

  it('shows a stored value, even of another kind', () => {
    expect(typedOf('number', 4.5)).toBe('4.5');
    expect(typedOf('text', { a: 1 })).toBe('{"a":1}');
    expect(typedOf('json', [1])).toBe('[\n  1\n]');
    expect(typedOf('url', undefined)).toBe('');
  });
});
