import fc from 'fast-check';
import { escapeXml } from './escape-xml.ts';

describe('text in XML', () => {
  it('is escaped where it would be markup', () => {
    expect(escapeXml(`<a href="x">Tom & 'Jerry' ]]></a>`)).toBe(
      `&lt;a href=&quot;x&quot;&gt;Tom &amp; 'Jerry' ]]&gt;&lt;/a&gt;`,
    );
  });

  it('keeps tabs, line feeds and carriage returns, and every character that XML can hold', () => {
    expect(escapeXml('a\tb\nc\rd')).toBe('a\tb\nc&#13;d');
    expect(escapeXml('é 茶 \u{1f375} \ue000 \u0085')).toBe('é 茶 \u{1f375} \ue000 \u0085');
  });

  it('replaces characters that XML cannot hold, and removes none', () => {
    expect(escapeXml('\0\u0001\b\u000b\u001f\ufffe\uffff')).toBe('\ufffd'.repeat(7));
    expect(escapeXml('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
    expect(escapeXml('[INTER\u0001NAL:tea]')).not.toContain('[INTERNAL:');
  });

  it('has no markup and no forbidden characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeXml(text);
        expect(escaped.replaceAll(/&(?:amp|lt|gt|quot|#13);/g, '')).not.toMatch(/[<>&"\r]/);
        for (const character of escaped)
          expect(character).toMatch(/[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
      }),
    );
  });
});
