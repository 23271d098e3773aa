import { TooBusy } from '@blog-content/concurrency';
import { brandVoiceRequest } from '@blog-content/payload-schemas';
import { tooManyRequests } from '@blog-content/service-runtime';
import type { Blog } from '../../blogs/writing/blog-store.ts';
import type { ClaimedJob } from '../jobs/job.ts';
import type { Model } from '../model/model.ts';
import type { ComparedTexts } from '../report/write-report.ts';
import { takeProposalTurn, type ProposalTurnDependencies } from './take-proposal-turn.ts';

const NO_NOTES = { document: brandVoiceRequest.parse({}), version: 0, updatedAt: null };
const CONTENT = '<p>All about tea.</p><h2>Water</h2><p>Water of 80 degrees.</p>';
const job: ClaimedJob = {
  id: 'j',
  projectId: 'p',
  requestedBy: 'a',
  kind: 'proposal',
  sources: null,
  step: 'proposal',
  stepsDone: 0,
  work: null,
  blogId: 'b',
  tries: 1,
  createdAt: new Date(),
  leaseToken: 't',
  request: { kind: 'rewrite_section', heading: 'Water' },
};
const section = { blocks: [{ kind: 'paragraph', text: 'Use 80 degrees.', items: [], rows: [], sources: [] }] };

/** Refuses once, as long as there is something to refuse with. */
function busyWith(refusals: Error[]) {
  return <Result>(result: Result): Promise<Result> => {
    const refusal = refusals.shift();
    return refusal === undefined ? Promise.resolve(result) : Promise.reject(refusal);
  };
}

function turnWhere(
  refusals: { links?: Error[]; compare?: Error[]; clean?: Error[] },
  provenance: Blog['provenance'] = null,
) {
  let asked = 0;
  const compared: ComparedTexts[] = [];
  const model: Model = {
    name: 'model',
    ask: ({ schema }) => {
      asked += 1;
      return Promise.resolve(schema.parse(section));
    },
  };
  const [links, compare, clean] = [refusals.links, refusals.compare, refusals.clean].map((each) =>
    busyWith(each ?? []),
  );
  const dependencies: ProposalTurnDependencies = {
    posts: { labels: () => Promise.resolve({ categories: [], tags: [] }) },
    blogs: { find: () => Promise.resolve({ id: 'b', title: 'Tea', content: CONTENT, version: 1, provenance } as Blog) },
    siblings: { list: () => Promise.resolve([]) },
    brandVoices: { find: () => Promise.resolve(NO_NOTES) },
    contentWork: {
      readPage: () => Promise.resolve({ title: '', text: 'Water of 80 degrees.' }),
      clean: (_project, { content = '' }) => clean!({ content, contentMarkdown: null }),
    },
    reportWork: {
      compare: (_project, texts) => {
        compared.push(texts);
        return compare!([]);
      },
    },
    modelOf: () => Promise.resolve(model),
    suggestLinks: () => links!([]),
    clock: () => new Date(),
  };
  return { take: (signal: AbortSignal) => takeProposalTurn(dependencies, job, signal), asked: () => asked, compared };
}

describe('what follows the model’s answer', () => {
  const never = new AbortController().signal;

  it.each([
    ['finding links', { links: [tooManyRequests('Busy.', 1)] }],
    ['comparing', { compare: [new TooBusy(), new TooBusy()] }],
    ['cleaning', { clean: [tooManyRequests('Busy.', 1)] }],
  ])('waits while others keep %s busy: the model is paid once', async (_what, refusals) => {
    const turn = turnWhere(refusals);
    expect(await turn.take(never)).toMatchObject({ kind: 'done', writer: 'model' });
    expect(turn.asked()).toBe(1);
  });

  it('does not wait for what will not pass', async () => {
    const turn = turnWhere({ compare: [new Error('broken')] });
    await expect(turn.take(never)).rejects.toThrow('broken');
  });

  it('ends its wait when the job is given up', async () => {
    const given = new AbortController();
    const turn = turnWhere({ compare: Array.from({ length: 100 }, () => new TooBusy()) });
    const taken = turn.take(given.signal);
    given.abort();
    await expect(taken).rejects.toThrow(TooBusy);
  });
});

it('a text is compared with the old one in the language that the post was last asked for in, if in any', async () => {
  const never = new AbortController().signal;
  const asked = [{ language: 'en' }, { language: 'de' }, { kind: 'shorten' }].map((request) => ({ request }));
  const [generated, written] = [turnWhere({}, asked), turnWhere({})];
  for (const turn of [generated, written]) await turn.take(never);
  expect([generated, written].map(({ compared }) => compared.map(({ language }) => language))).toEqual([
    ['de'],
    [null],
  ]);
});
