import { nameOther, sniffImage } from './sniff-image.ts';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const box = (brand: string, ...compatible: string[]) =>
  ascii(`\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${brand}\0\0\0\0${compatible.join('')}mdat`);

describe('what an image is', () => {
  it.each([
    ['jpg', ascii('\xff\xd8\xff\xe0')],
    ['png', ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['gif', ascii('GIF87a\x01')],
    ['gif', ascii('GIF89a/*\0')],
    ['webp', ascii('RIFF\n\0\0\0WEBPVP8 ')],
    ['avif', box('avif')],
    ['avif', box('mif1', 'miaf', 'avif')],
    ['avif', box('avis')],
  ])('is told by its first bytes: %s', (format, bytes) => {
    expect(sniffImage(bytes)).toBe(format);
  });

  it.each([
    ['SVG', ascii('<?xml version="1.0"?><!-- GIF89a --><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', ascii('\xef\xbb\xbf  <svg onload="alert(1)">')],
    ['HTML', ascii('<!DOCTYPE html><script>1</script>')],
    ['HEIC', box('heic', 'mif1', 'heic')],
    ['TIFF', ascii('II*\0\0\0\0\0')],
    ['BMP', ascii('BM\0\0\0\0')],
    ['PDF', ascii('%PDF-1.7')],
    ['no known image format', ascii('hello')],
    ['no known image format', ascii('RIFF\0\0\0\0WAVE')],
    ['no known image format', Buffer.alloc(0)],
    ['no known image format', ascii('\xff\xd8')],
    ['no known image format', ascii(' GIF89a')],
  ])('is none that is stored when it is %s', (name, bytes) => {
    expect([sniffImage(bytes), nameOther(bytes)]).toEqual([null, name]);
  });
});
