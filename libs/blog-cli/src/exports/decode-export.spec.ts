import { decodeJson, decodeXml } from './decode-export.ts';
import { UnreadableExport } from './exported-post.ts';

const xml = (encoding: string | null, text = 'Café crème – €') =>
  `<?xml version="1.0"${encoding === null ? '' : ` encoding="${encoding}"`} ?>\n<rss><title>${text}</title></rss>`;
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
const bytesOf = (text: string) => Buffer.from(text);
/** One byte for each character. */
const raw = (text: string) => Buffer.from(text, 'latin1');

describe('the text of an XML file', () => {
  it.each([
    ['nothing declared', bytesOf(xml(null))],
    ['UTF-8', bytesOf(xml('utf-8'))],
    ['UTF-8 with a mark', bytesOf(`\uFEFF${xml('UTF-8')}`)],
    ['UTF-8 with two marks', bytesOf(`\uFEFF\uFEFF${xml('UTF-8')}`)],
    ['UTF-8 with a byte order mark and any declaration', bytesOf(`\uFEFF${xml('ISO-8859-1')}`)],
    ['UTF-8 that is called UTF-16', bytesOf(xml('UTF-16'))],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${xml('UTF-16')}`, 'utf16le')],
    ['UTF-16BE with a mark', swapped(Buffer.from(`\uFEFF${xml('UTF-16')}`, 'utf16le'))],
    ['UTF-16LE without one', Buffer.from(xml('UTF-16'), 'utf16le')],
    ['UTF-16BE without one', swapped(Buffer.from(xml('UTF-16'), 'utf16le'))],
    ['UTF-8 that is called ASCII', bytesOf(xml('US-ASCII'))],
  ])('is decoded by its bytes: %s', (_what, bytes) => {
    const { text, isDamaged, notes } = decodeXml(bytes);
    expect(text).toContain('<title>Café crème – €</title>');
    expect({ isDamaged, notes, begins: text.startsWith('<?xml') }).toEqual({
      isDamaged: false,
      notes: [],
      begins: true,
    });
  });

  it.each([
    ['ISO-8859-1', 'Caf\xE9 \x80', 'Café €'],
    ['latin1', 'Caf\xE9', 'Café'],
    ['windows-1252', '\x93Caf\xE9\x94 \x96 \x80 5', '“Café” – € 5'],
    ['windows-1251', '\xCF\xF0\xE8\xE2\xE5\xF2', 'Привет'],
    ['windows-1250', '\xA3\xF3d\x9F', 'Łódź'],
    ['ISO-8859-2', '\xA3\xF3d\xBC', 'Łódź'],
    ['ISO-8859-15', '\xA4 5', '€ 5'],
    ['KOI8-R', '\xF0\xD2\xC9\xD7\xC5\xD4', 'Привет'],
    ['Shift_JIS', '\x93\xFA\x96\x7B', '日本'],
    ['EUC-KR', '\xC7\xD1\xB1\xDB', '한글'],
    ['GB2312', '\xD6\xD0\xCE\xC4', '中文'],
    ['Big5', '\xA4\xA4\xA4\xE5', '中文'],
  ])('is decoded as declared: %s', (encoding, bytes, text) => {
    const decoded = decodeXml(raw(xml(encoding, bytes)));
    expect(decoded).toMatchObject({ isDamaged: false, encoding });
    expect(decoded.text).toContain(`<title>${text}</title>`);
  });

  it.each([
    ['UTF-8', 'Before \x96 after'],
    ['UTF-8', 'Caf\xE9'],
    ['windows-1252', 'a \x81 b'],
    ['Shift_JIS', 'a \xFF b'],
  ])('is reported as damaged if bytes are invalid in its encoding: %s', (encoding, bytes) => {
    expect(decodeXml(raw(xml(encoding, bytes)))).toMatchObject({ isDamaged: true });
  });

  it.each(['x-klingon', 'UTF-7', 'UTF-32'])('is refused in an unknown encoding: %s', (encoding) => {
    expect(() => decodeXml(bytesOf(xml(encoding)))).toThrow(UnreadableExport);
    expect(() => decodeXml(bytesOf(xml(encoding)))).toThrow(`“${encoding}”`);
  });

  it('is refused in UTF-32', () => {
    expect(() => decodeXml(Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]))).toThrow('UTF-32');
  });

  it.each([
    ['a blank line', '\n', 0],
    ['spaces', '  ', 0],
    ['marks and lines', '\uFEFF\n\uFEFF', 0],
    ['an error of PHP', '<br />\n<b>Deprecated</b>: something in <b>/x.php</b> on line <b>1</b><br />\n', 76],
    ['a page', '<!DOCTYPE html><html><body>Warning</body></html>', 48],
  ])('starts at the XML: after %s', (_what, before, cut) => {
    const { text, notes } = decodeXml(bytesOf(before + xml('UTF-8')));
    expect(text).toBe(xml('UTF-8'));
    expect(notes).toHaveLength(cut === 0 ? 0 : 1);
    const latin = decodeXml(raw(before.replaceAll('\uFEFF', '') + xml('ISO-8859-1', '\xE9')));
    expect(latin.text).toContain('é');
  });

  it('ends at the end of the feed, and reports text after it, but no comments', () => {
    expect(decodeXml(bytesOf(`${xml('UTF-8')}\n<b>Fatal error</b>`))).toMatchObject({
      text: xml('UTF-8'),
      notes: [expect.stringContaining('characters around the XML')],
    });
    expect(decodeXml(bytesOf(`${xml('UTF-8')}<!-- x -->`)).notes).toEqual([]);
  });

  it('stays unchanged if it is no XML, which its parser refuses', () => {
    expect(decodeXml(bytesOf('hello')).text).toBe('hello');
    expect(decodeXml(Buffer.alloc(0)).text).toBe('');
  });
});

describe('the text of a JSON file', () => {
  const json = '{"title":"Café"}';
  it.each([
    ['UTF-8', bytesOf(json)],
    ['UTF-8 with a mark', bytesOf(`\uFEFF${json}`)],
    ['UTF-8 with two marks', bytesOf(`\uFEFF\uFEFF\n${json}`)],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${json}`, 'utf16le')],
    ['UTF-16BE with a mark', swapped(Buffer.from(`\uFEFF${json}`, 'utf16le'))],
    ['UTF-16LE', Buffer.from(json, 'utf16le')],
  ])('is decoded by its bytes: %s', (_what, bytes) => {
    expect(decodeJson(bytes)).toMatchObject({ text: json, isDamaged: false });
  });

  it('is reported as damaged if bytes are invalid in its encoding', () => {
    expect(decodeJson(raw('{"title":"Caf\xE9"}'))).toMatchObject({ isDamaged: true });
  });
});
