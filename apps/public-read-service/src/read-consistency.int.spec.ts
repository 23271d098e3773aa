import { createTestDatabase } from '@blog-content/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { blogDeleted, blogPublished, blogUnpublished } from '../test/events.ts';
import { PUBLIC, startTestService, untilLeased, type TestProject, type TestService } from '../test/test-service.ts';

const seed = Number(process.env['READ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BLOGS = 4;

interface ListedPost {
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
}

/** What happens to one of a project's blogs. */
interface Step {
  readonly project: 0 | 1;
  readonly blog: number;
  readonly action: 'publish' | 'unpublish' | 'delete';
}
const steps = fc.array(
  fc.record({
    project: fc.constantFrom<0 | 1>(0, 1),
    blog: fc.nat(BLOGS - 1),
    action: fc.constantFrom<Step['action']>('publish', 'publish', 'publish', 'unpublish', 'delete'),
  }),
  { minLength: 15, maxLength: 30 },
);

const resources = new AsyncDisposableStack();
let replicas: TestService[];

beforeAll(async () => {
  const database = await createTestDatabase('public-read-service');
  resources.defer(() => database.drop());
  replicas = [];
  for (let replica = 0; replica < 2; replica += 1) {
    replicas.push(resources.use(await startTestService({ databaseUrl: database.url })));
  }
  for (const replica of replicas) await untilLeased(replica);
});
afterAll(() => resources.disposeAsync());

/**
 * One run: steps are carried out one after the other while readers ask both replicas without a pause. `known` holds for
 * each blog what was announced as served last (null: not published); `begun` and `announced` count its steps.
 */
async function race(all: readonly Step[]): Promise<string[]> {
  const wrong: string[] = [];
  const projects = [await replicas[0]!.createProject(), await replicas[0]!.createProject()] as const;
  const ids = projects.map(() => Array.from({ length: BLOGS }, () => randomUUID()));
  const known = projects.map(() => Array.from({ length: BLOGS }, (): number | null => null));
  const begun = projects.map(() => Array.from({ length: BLOGS }, () => 0));
  const announced = projects.map(() => Array.from({ length: BLOGS }, () => 0));
  const slugOf = (project: number, blog: number) => `project-${project}-blog-${blog}`;
  let isOver = false;

  async function carryOut({ project, blog, action }: Step, number: number): Promise<void> {
    const event = { project_id: projects[project].id, blog_id: ids[project]![blog]!, blog_event_number: number };
    begun[project]![blog]! += 1;
    const next = slugOf(project, (blog + 1) % BLOGS);
    const service = replicas[number % 2]!;
    switch (action) {
      case 'publish':
        await service.apply(
          blogPublished({
            ...event,
            revision: {
              slug: slugOf(project, blog),
              title: `v${number}`,
              excerpt: `v${number}`,
              content: `<p>v${number}</p><p><a href="[INTERNAL:${next}]">next</a> [INTERNAL:${next}] [INTERNAL:nowhere]</p>`,
            },
          }),
        );
        break;
      case 'unpublish':
        await service.apply(blogUnpublished(event));
        break;
      case 'delete':
        await service.apply(blogDeleted(event));
    }
    known[project]![blog] = action === 'publish' ? number : null;
    announced[project]![blog]! += 1;
  }

  async function read(service: TestService, project: 0 | 1): Promise<void> {
    const before = [...known[project]!];
    const announcedBefore = [...announced[project]!];
    const { key }: TestProject = projects[project];
    const path = `${PUBLIC}/blogs?include_content=true&limit=100`;
    const answer = await service.request('GET', path, { authorization: `Bearer ${key}` });
    const begunAfter = [...begun[project]!];
    if (answer.statusCode !== 200) {
      wrong.push(`${answer.statusCode}`);
      return;
    }
    const { blogs, total } = JSON.parse(answer.body) as { blogs: ListedPost[]; total: number };
    if (/INTERNAL/i.test(answer.body)) wrong.push('a raw placeholder');
    if (total !== blogs.length) wrong.push(`total ${total} of ${blogs.length}`);
    const slugs = new Set(blogs.map(({ slug }) => slug));
    for (const { slug, title, excerpt, content } of blogs) {
      if (!slug.startsWith(`project-${project}-`)) wrong.push(`${slug} of another project`);
      if (excerpt !== title || !content.startsWith(`<p>${title}</p>`))
        wrong.push(`half of a publish: ${title} ${excerpt}`);
      const next = slugOf(project, (Number(slug.at(-1)) + 1) % BLOGS);
      const isLinked = content.includes(`/blog/${next}/">next</a>`);
      if (isLinked !== slugs.has(next)) wrong.push(`a link that is not as the list says: ${slug}`);
    }
    for (let blog = 0; blog < BLOGS; blog += 1) {
      const shown = blogs.find(({ slug }) => slug === slugOf(project, blog));
      const version = shown === undefined ? null : Number(shown.title.slice(1));
      // What was announced before the request is shown, or something newer whose step began before its end.
      const isSettled = announcedBefore[blog] === begunAfter[blog];
      if (isSettled && version !== before[blog]) wrong.push(`${version} instead of ${before[blog]}`);
      if (version !== null && before[blog] !== null && version < before[blog]!)
        wrong.push(`${version} after ${before[blog]}`);
    }
  }

  const readers = replicas.flatMap((service) =>
    ([0, 1] as const).map(async (project) => {
      while (!isOver) await read(service, project);
    }),
  );
  try {
    for (const [index, step] of all.entries()) await carryOut(step, index + 1);
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
  for (const service of replicas) for (const project of [0, 1] as const) await read(service, project);
  return [...new Set(wrong)];
}

describe(`readers of two replicas while blogs are published, unpublished and deleted (READ_SEED=${seed})`, () => {
  it('never see half a publish, a raw placeholder, another project’s blog, an unpublished one, or what was before an announced change', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        expect(await race(all)).toEqual([]);
      }),
      { seed, numRuns: 8, interruptAfterTimeLimit: 60_000, endOnFailure: true },
    );
  });
});
