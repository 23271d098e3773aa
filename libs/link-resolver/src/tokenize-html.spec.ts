import fc from 'fast-check';
import { tokenizeHtml } from './tokenize-html.ts';

const kinds = (html: string) =>
  [...tokenizeHtml(html)].map((token) => `${token.kind}:${html.slice(token.start, token.end)}`);

describe('tokenizeHtml', () => {
  it.each([
    ['a<b>c</b>', ['text:a', 'tag:<b>', 'text:c', 'tag:</b>']],
    ['a < b <3 <', ['text:a < b <3 <']],
    ['<!doctype html>x', ['comment:<!doctype html>', 'text:x']],
    ['<!-- > -- -->x', ['comment:<!-- > -- -->', 'text:x']],
    ['<!-->x', ['comment:<!-->', 'text:x']],
    ['<!--->x', ['comment:<!--->', 'text:x']],
    ['<!---->x', ['comment:<!---->', 'text:x']],
    ['<!--a--!>x', ['comment:<!--a--!>', 'text:x']],
    ['<!--a', ['comment:<!--a']],
    ['</3>x', ['comment:</3>', 'text:x']],
    ['<?xml a?>x', ['comment:<?xml a?>', 'text:x']],
    ['<p title="a>b">x', ['tag:<p title="a>b">', 'text:x']],
    ["<p title='a>b'>x", ["tag:<p title='a>b'>", 'text:x']],
    ['<p title=a"b>x', ['tag:<p title=a"b>', 'text:x']],
    ['<p title="a>x', ['unfinished:<p title="a>x']],
    ['<p ', ['unfinished:<p ']],
    ['<title><b></titles></TITLE >x', ['tag:<title>', 'raw:<b></titles>', 'tag:</TITLE >', 'text:x']],
    ['<style></style>x', ['tag:<style>', 'tag:</style>', 'text:x']],
    ['<script><p>', ['tag:<script>', 'raw:<p>']],
    ['<plaintext></plaintext>', ['tag:<plaintext>', 'raw:</plaintext>']],
  ])('cuts %s', (html, expected) => {
    expect(kinds(html)).toEqual(expected);
  });

  it('reads the attributes of a tag', () => {
    const html = '<A b C="1" d = \'2\'e=3/f /g==h "i>';
    const [tag] = tokenizeHtml(html);
    expect(tag?.kind).toBe('tag');
    const attributes = tag?.kind === 'tag' ? tag.attributes : [];
    expect(attributes.map(({ name, valueStart, valueEnd }) => [name, html.slice(valueStart, valueEnd)])).toEqual([
      ['b', ''],
      ['c', '1'],
      ['d', '2'],
      ['e', '3/f'],
      ['g', '=h'],
      ['"i', ''],
    ]);
  });

  it('gives tokens that cover any input without a gap', () => {
    const pieces = fc.constantFrom('<', '>', '/', '!', '--', '"', "'", '=', ' ', 'a', 'title', '</title>', '?', 'é');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const html = parts.join('');
        const cut = [...tokenizeHtml(html)].map((token) => html.slice(token.start, token.end));
        expect(cut.join('')).toBe(html);
        expect(cut).not.toContain('');
      }),
      { numRuns: 2_000 },
    );
  });
});
