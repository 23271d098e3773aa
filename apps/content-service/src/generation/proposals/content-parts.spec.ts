import { undescribedImages } from './content-parts.ts';

const tagsOf = (html: string) => undescribedImages(html).map(({ tag }) => tag);

describe('an image without a text for those who do not see it', () => {
  it.each([
    '<img src="https://a.example/a.png" />',
    '<img src="https://a.example/a.png" alt="" />',
    '<img alt="" src="https://a.example/a.png" />',
    '<img alt=" " src="https://a.example/a.png" />',
  ])('is found, wherever its attributes stand: %s', (img) => {
    expect(tagsOf(`<p>Tea</p>${img}`)).toEqual([img]);
  });

  it.each(['<img alt="A cup" src="https://a.example/a.png" />', '<img src="https://a.example/a.png" alt=" x" />'])(
    'is none that has one: %s',
    (img) => {
      expect(tagsOf(`<p>Tea</p>${img}`)).toEqual([]);
    },
  );
});
