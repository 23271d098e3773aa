import { structuredData } from '@blog-content/payload-schemas';
import { structuredDataOf } from './structured-data.ts';

const of = (html: string) => structuredData.parse(structuredDataOf('Tea', html));
const question = (name: string, text: string) => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text },
});
const FAQ = { '@context': 'https://schema.org', '@type': 'FAQPage' };
const HOW_TO = { '@context': 'https://schema.org', '@type': 'HowTo' };

describe('structured data of a content', () => {
  it('is nothing where there are no questions and no steps', () => {
    expect(of('<p>Why not?</p><ol><li>a</li><li>b</li></ol>')).toEqual([]);
    expect(of('<details><summary>More</summary><p>It is long.</p></details>')).toEqual([]);
    expect(of('<details><summary>Empty?</summary></details><details><p>a</p></details>')).toEqual([]);
    expect(of('')).toEqual([]);
  });

  it('has toggles whose summary is a question, as text', () => {
    const html =
      '<details><summary>How <b>hot</b>?</summary><p>70 &deg;C.</p><ul><li>Less<br>for white</li></ul></details>';
    expect(of(`<p>a</p>${html}<details><summary>Why？</summary>So.</details>`)).toEqual([
      { ...FAQ, mainEntity: [question('How hot?', '70 °C. Less for white'), question('Why？', 'So.')] },
    ]);
  });

  it.each([
    [
      'Yoast',
      '<div class="schema-faq wp-block-yoast-faq-block"><div class="schema-faq-section"><strong class="schema-faq-question">Hot?</strong><p class="schema-faq-answer">Yes.</p></div><div class="schema-faq-section"><strong class="schema-faq-question">Cold?</strong><p class="schema-faq-answer">No.</p></div></div>',
    ],
    [
      'Rank Math',
      '<div class="rank-math-list"><div class="rank-math-list-item"><h3 class="rank-math-question ">Hot?</h3><div class="rank-math-answer "><p>Yes.</p></div></div><div class="rank-math-list-item"><h3 class="rank-math-question">Cold?</h3><div class="rank-math-answer">No.</div></div></div>',
    ],
  ])('has the FAQ blocks of %s', (_plugin, html) => {
    expect(of(html)).toEqual([{ ...FAQ, mainEntity: [question('Hot?', 'Yes.'), question('Cold?', 'No.')] }]);
  });

  it('has the steps of an ordered list right after a heading that begins with “How to”', () => {
    const steps = '<ol><li><p>Boil.</p><ol><li>Slowly.</li></ol></li><li>Pour.</li></ol>';
    const step = [
      { '@type': 'HowToStep', text: 'Boil. Slowly.' },
      { '@type': 'HowToStep', text: 'Pour.' },
    ];
    expect(of(`<h2>How to make tea</h2>\n${steps}`)).toEqual([{ ...HOW_TO, name: 'How to make tea', step }]);
    expect(of(`<h2>How to make tea</h2><p>First:</p>${steps}`)).toEqual([]);
    expect(of(`<h2>Tea</h2>${steps}`)).toEqual([]);
    expect(of('<h2>How to wait</h2><ol><li>Wait.</li></ol>')).toEqual([]);
  });

  it.each([
    [
      'Yoast',
      '<div class="schema-how-to"><ol class="schema-how-to-steps"><li class="schema-how-to-step"><strong class="schema-how-to-step-name">Boil</strong><p class="schema-how-to-step-text">Water.</p></li></ol></div>',
    ],
    [
      'Rank Math',
      '<div class="rank-math-steps"><div class="rank-math-step"><h3 class="rank-math-step-title">Boil</h3><div class="rank-math-step-content"><p>Water.</p></div></div></div>',
    ],
  ])('has the HowTo blocks of %s, named as the post', (_plugin, html) => {
    expect(of(html)).toEqual([
      { ...HOW_TO, name: 'Tea', step: [{ '@type': 'HowToStep', name: 'Boil', text: 'Water.' }] },
    ]);
  });
});
