import { join } from 'node:path';
import { startBrowser } from '@blog-content/testing';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import type { PastePage } from './paste-page.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'paste-page.ts'), formats: ['iife'], name: 'page' },
    },
  });
  const [output] = Array.isArray(bundle) ? bundle : [bundle];
  if (!output || !('output' in output)) throw new Error('Nothing was built.');
  browser = await startBrowser();
  page = await browser.newPage();
  await page.addScriptTag({ content: output.output[0].code });
});
afterAll(() => browser.close());

/** What is left of HTML from the clipboard, without white space between blocks. */
async function pasted(html: string): Promise<string> {
  const cleaned = await page.evaluate((given) => (globalThis as unknown as PastePage).cleanPasted(given).html, html);
  return cleaned
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();
}

const ignore = (marker: string) =>
  `<![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>`;
const item = (marker: string, text: string, level = 1, list = 0) =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l${list} level${level} lfo${list + 1}'>${ignore(marker)}${text}<o:p></o:p></p>\n`;

describe('lists pasted from Word', () => {
  it('become nested lists by their levels', async () => {
    const html = `<p class=MsoNormal>Before.<o:p></o:p></p>\n${item('·', 'First')}${item('o', 'Nested', 2)}${item('·', 'Second')}${item('1.', 'Numbered', 1, 1)}<p class=MsoNormal>After.</p>`;
    expect(await pasted(html)).toBe(
      '<p>Before.</p><ul><li>First<ul><li>Nested</li></ul></li><li>Second</li></ul><ol><li>Numbered</li></ol><p>After.</p>',
    );
  });

  it('are stored as lists', async () => {
    const html = `<p class=MsoNormal>Before.<o:p></o:p></p>\n${item('·', 'First')}${item('o', 'Nested', 2)}${item('·', 'Second')}${item('1.', 'Numbered', 1, 1)}<p class=MsoNormal>After.</p>`;
    const stored = await page.evaluate((given) => (globalThis as unknown as PastePage).storedOf(given), html);
    expect(stored.replaceAll(/\s*\n\s*/g, '')).toBe(
      '<p>Before.</p><ul><li>First<ul><li>Nested</li></ul></li><li>Second</li></ul><ol><li>Numbered</li></ol><p>After.</p>',
    );
  });

  it.each([
    ['1.', '<ol><li>x</li></ol>'],
    ['5)', '<ol start="5"><li>x</li></ol>'],
    ['2.3.', '<ol start="3"><li>x</li></ol>'],
    ['a)', '<ol type="a"><li>x</li></ol>'],
    ['C.', '<ol type="A" start="3"><li>x</li></ol>'],
    ['i.', '<ol type="i"><li>x</li></ol>'],
    ['(1)', '<ol><li>x</li></ol>'],
    ['§', '<ul><li>x</li></ul>'],
    ['o', '<ul><li>x</li></ul>'],
    ['-', '<ul><li>x</li></ul>'],
  ])('keep the numbering of their markers: %s', async (marker, list) => {
    expect(await pasted(item(marker, 'x'))).toBe(list);
  });

  it('may start at a deep level, and skip levels', async () => {
    const html = `${item('·', 'a', 2)}${item('·', 'b', 4)}${item('·', 'c', 3)}${item('·', 'd', 1)}`;
    expect(await pasted(html)).toBe('<ul><li>a<ul><li>b</li></ul><ul><li>c</li></ul></li></ul><ul><li>d</li></ul>');
  });

  it('change between bullets and numbers', async () => {
    const html = `${item('·', 'a')}${item('1.', 'b', 2)}${item('2.', 'c', 2)}${item('·', 'd')}`;
    expect(await pasted(html)).toBe('<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>');
  });

  it('keep the paragraphs of an item, and what is bold in it', async () => {
    const more = '<p class=MsoListParagraphCxSpMiddle>More of it.</p>';
    expect(await pasted(`${item('·', '<b>a</b> b')}${more}${item('·', 'c')}`)).toBe(
      '<ul><li><b>a</b> b<p>More of it.</p></li><li>c</li></ul>',
    );
  });

  it('are also kept in cells and between other paragraphs', async () => {
    const html = `<table><tbody><tr><td>${item('·', 'a')}</td></tr></tbody></table><p>x</p>${item('·', 'b')}<p>y</p>${item('·', 'c')}`;
    expect(await pasted(html)).toBe(
      '<table><tbody><tr><td><ul><li>a</li></ul></td></tr></tbody></table><p>x</p><ul><li>b</li></ul><p>y</p><ul><li>c</li></ul>',
    );
  });
});

describe('text pasted from Google Docs', () => {
  it('keeps strikethrough and underline', async () => {
    const html =
      '<b style="font-weight:normal;"><p><span style="text-decoration:line-through;">struck</span> <span style="text-decoration:underline;">under</span> <span style="text-decoration:underline line-through">both</span> <span style="text-decoration:none">none</span></p></b>';
    expect(await pasted(html)).toBe('<p><s>struck</s> <u>under</u> <u><s>both</s></u> none</p>');
  });

  it('does not underline links', async () => {
    const html = '<a href="https://x.example"><span style="text-decoration:underline">x</span></a>';
    expect(await pasted(html)).toBe('<a href="https://x.example">x</a>');
  });

  it('keeps lists in lists', async () => {
    const html = '<ul><li><p><span>a</span></p></li><ul><li><p>b</p></li></ul><li><p>c</p></li></ul>';
    expect(await pasted(html)).toBe('<ul><li><p>a</p></li><ul><li><p>b</p></li></ul><li><p>c</p></li></ul>');
  });
});

describe('footnotes pasted from Word', () => {
  it('lead to their notes and back', async () => {
    const html =
      '<p>Text<a style="mso-footnote-id:ftn1" href="file:///C:/a.htm#_ftn1" name="_ftnref1" title="">[1]</a> <a name="unused">x</a></p><p><a href="#_ftnref1" name="_ftn1">[1]</a> Note.</p>';
    expect((await pasted(html)).replaceAll(' title=""', '')).toBe(
      '<p>Text<a href="#_ftn1" id="_ftnref1">[1]</a> <a>x</a></p><p><a href="#_ftnref1" id="_ftn1">[1]</a> Note.</p>',
    );
  });
});
