import { tooManyRequests } from '@blog-content/service-runtime';
import type { ClaimedJob } from '../jobs/job.ts';
import type { Writer } from '../writing/writer.ts';
import { takePostTurn, type PostTurnDependencies } from './take-post-turn.ts';

const job: ClaimedJob = {
  id: 'j',
  projectId: 'p',
  requestedBy: 'a',
  kind: 'post',
  sources: [],
  step: 'pictures',
  stepsDone: 3,
  blogId: null,
  tries: 1,
  createdAt: new Date(),
  leaseToken: 't',
  request: { topic: 'Tea', pictures: true },
  work: { ownPosts: [], outline: { title: 'Tea', sections: [] }, sections: [], links: [], pictures: [], cut: [] },
};
const never = () => Promise.reject(new Error('Nothing else is done in this step.'));

it('a picture waits while others keep the encoder busy: it is drawn, and paid, once', async () => {
  let drawn = 0;
  const refusals = [tooManyRequests('Busy.', 1)];
  const writer: Writer = {
    name: 'model',
    notice: null,
    outline: never,
    section: never,
    meta: never,
    draw: () => {
      drawn += 1;
      return Promise.resolve(Buffer.from('picture'));
    },
  };
  const dependencies: PostTurnDependencies = {
    posts: { labels: never, published: never, all: never },
    brandVoices: { find: never },
    contentWork: { clean: never },
    reportWork: { write: never },
    suggestLinks: never,
    readSource: never,
    clock: () => new Date(),
    findPicture: () => Promise.resolve(null),
    storePicture: () => {
      const refusal = refusals.shift();
      return refusal === undefined ? Promise.resolve('https://a.example/tea.png') : Promise.reject(refusal);
    },
    writerOf: () => Promise.resolve(writer),
  };
  const result = await takePostTurn(dependencies, job, new AbortController().signal);
  expect(result).toMatchObject({ step: 'checks', work: { pictures: ['https://a.example/tea.png'], cut: [] } });
  expect(drawn).toBe(1);
});
