import { slug } from '@blog-content/payload-schemas';
import { numberedSlug, slugify } from './slugify.ts';

describe('slugs made from titles (contract §2.6)', () => {
  it.each([
    ['Tea & Coffee', 'tea-coffee'],
    ['  What’s new?  ', 'whats-new'],
    ['Crème brûlée', 'creme-brulee'],
    ['Straße nach Köln', 'strasse-nach-koln'],
    ['Ærø, Łódź', 'aero-lodz'],
    ['Привет, мир', 'privet-mir'],
    ['Καλημέρα', 'kalimera'],
    ['100 % ﬁne', '100-fine'],
    ['𝐇𝐞𝐥𝐥𝐨 World', 'hello-world'],
    ['№ 5 Chanel', 'no-5-chanel'],
    ['ℝeal', 'real'],
    ['20 ℃ water', '20-c-water'],
    ['İstanbul', 'istanbul'],
    ['Tea™ and Cups℠', 'tea-and-cups'],
    ['Azərbaycan', 'azerbaycan'],
    ['Việt Nam đất nước', 'viet-nam-dat-nuoc'],
    ['Їжак і ґанок', 'izhak-i-ganok'],
    ['Ђурђевдан', 'djurdjevdan'],
    ['Қазақша сөз', 'qazaqsha-soz'],
    ['中文文章', 'zhong-wen-wen-zhang'],
    ['第1章', 'di-1-zhang'],
    ['日本語の記事', 'ri-ben-yu-no-ji-shi'],
    ['ガイド・コーヒー', 'gaido-kohi'],
    ['ﾊﾝｶｸ', 'hankaku'],
    ['한국어 글', 'hangugeo-geul'],
    ['مرحبا بالعالم', 'mrhba-balaalm'],
    ['שלום עולם, צה״ל', 'slvm-avlm-tshl'],
    ['สวัสดีชาวโลก', 'swasdichawolk'],
    ['हिन्दी भाषा', 'hindi-bhasa'],
    ['தமிழ்', 'tmil'],
    ['გამარჯობა', 'gamarjoba'],
    ['Հայերեն', 'hayeren'],
    ['አማርኛ', 'amarnya'],
    ['🎉', 'tada'],
    ['👨‍👩‍👧', 'man-woman-girl'],
    ['Tea 🎉 → cups', 'tea-cups'],
    ['C++ €', 'c'],
    ['!!!', 'post'],
    ['。。。', 'post'],
    ['\u200B', 'post'],
    ['', 'post'],
    ['--a--', 'a'],
  ])('%p → %s', (title, expected) => {
    expect(slugify(title)).toBe(expected);
  });

  it('write German umlauts as German does, of posts in German only', () => {
    const title = 'Grüner Tee: ÖFTER u\u0308ben, Straße';
    for (const language of ['de', 'de-AT', 'DE'])
      expect(slugify(title, language)).toBe('gruener-tee-oefter-ueben-strasse');
    for (const language of [null, 'sv', 'den', 'fi'])
      expect(slugify(title, language)).toBe('gruner-tee-ofter-uben-strasse');
  });

  it.each(['한국어 글', 'Việt Nam', 'ガイド', 'Café', 'สวัสดี', 'हिन्दी', 'ўзбек'])(
    '%s is one slug in any Unicode composition',
    (title) => {
      const forms = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => slugify(title.normalize(form)));
      expect(new Set(forms)).toEqual(new Set([slugify(title)]));
    },
  );

  it('is at most 200 characters and does not end in a hyphen', () => {
    expect(slugify('a'.repeat(300))).toBe('a'.repeat(200));
    expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
  });

  it('numbers a clash -2, -3, … within 200 characters', () => {
    expect([1, 2, 3].map((attempt) => numberedSlug('tea', attempt))).toEqual(['tea', 'tea-2', 'tea-3']);
    const long = numberedSlug('a'.repeat(200), 12);
    expect(long).toBe(`${'a'.repeat(197)}-12`);
    expect(slug.safeParse(long).success).toBe(true);
  });
});
