import { createReportWork, type ReportWork } from './report-work.ts';
import { writeReport, type ReportedDraft } from './write-report.ts';

const draftOf = (text: string, source: string): ReportedDraft => ({
  brief: { topic: 'Green tea', length: 200, language: 'en', pictures: false },
  outline: { title: 'Green tea', sections: [{ heading: 'Water', points: [] }] },
  sections: [{ blocks: [{ kind: 'paragraph', text, items: [], rows: [], sources: [1] }] }],
  sources: [{ number: 1, title: 'Notes', url: null, text: source, problem: null }],
  links: [],
  meta: { excerpt: '', meta_title: '', meta_description: '', keyword: 'tea', categories: [], tags: [] },
  brandVoice: null,
  cut: [],
  ownPosts: [],
  known: [],
  isOutline: false,
});

const PATIENT_MS = 60_000;
let work: ReportWork;
afterEach(() => work.close());

it('a report is the same beside the event loop', async () => {
  work = createReportWork(PATIENT_MS);
  const draft = draftOf('It is drunk by 93 percent of people.', 'Green tea is old.');
  expect(await work.write('a', draft)).toEqual(writeReport(draft));
});

it('texts that belong to no section are compared beside the event loop too', async () => {
  work = createReportWork(PATIENT_MS);
  const texts = { texts: ['It is drunk by 93 percent of people.'], support: ['Green tea is old.'], headings: [] };
  expect(await work.compare('a', { ...texts, language: 'en' })).toEqual([
    { section: '', sentence: 'It is drunk by 93 percent of people.', because: ['figure'] },
  ]);
});

it('a draft whose report takes too long fails, while the event loop goes on', async () => {
  work = createReportWork(1);
  const draft = draftOf('Never a b. '.repeat(4_000), 'Never a b. '.repeat(9_000));
  await expect(work.write('a', draft)).rejects.toMatchObject({ name: 'JobFailed', code: 'content_refused' });
});
