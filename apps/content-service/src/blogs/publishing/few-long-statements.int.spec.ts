import pg from 'pg';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

interface Statement {
  readonly text: string;
  readonly values: unknown;
}

// Before any connection is made: a pool keeps the function that a connection had.
const prototype = pg.Client.prototype as unknown as { query: (this: unknown, ...given: unknown[]) => unknown };
const { query } = prototype;
let calls: unknown[][] = [];
prototype.query = function (...given) {
  calls.push(given);
  return query.apply(this, given);
};
let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  prototype.query = query;
});

/** The statements of the service meanwhile, and those of its relay. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  calls = [];
  await work();
  return calls.map(([statement, values]: unknown[]): Statement => {
    if (typeof statement === 'string') return { text: statement.trim(), values };
    const { text, values: own } = statement as Statement;
    return { text: text.trim(), values: own ?? values };
  });
}

const WORDS = 'Long words stand here. '.repeat(20);

describe('what goes between the service and its database', () => {
  it('has a publish’s content once, in its event: the revision is copied there, and no row that is written comes back', async () => {
    const blog = await owner.newBlog({ content: `<p>${WORDS}</p>` });
    const statements = await statementsOf(() => owner.publish(blog));
    const [written, ...others] = statements.filter(({ text }) => text.includes('INSERT INTO blog_revision'));
    const tables = [...(written?.text ?? '').matchAll(/(?:INSERT INTO|UPDATE) (\w+)/g)].map(([, table]) => table);
    expect(tables).toEqual(expect.arrayContaining(['blog', 'blog_revision', 'publish', 'outbox']));
    expect(others).toEqual([]);
    expect(written?.text).not.toContain('RETURNING');
    expect(statements.filter(({ values }) => JSON.stringify(values)?.includes(WORDS))).toHaveLength(1);
  });

  it('has as many statements of a publish with fifty links as of one with one', async () => {
    const targets = await Promise.all(
      Array.from({ length: 50 }, (_, number) => owner.newBlog({ slug: `t-${number}` })),
    );
    const linking = async (number: number) => {
      const content = targets.slice(0, number).map(({ slug }) => `<p>[INTERNAL:${slug}]</p>`);
      const blog = await owner.newBlog({ content: content.join('') });
      const statements = await statementsOf(() => owner.publish(blog));
      return statements.map(({ text }) => text).filter((text) => /\b(blog_link|slug_claim|blog_revision)\b/.test(text));
    };
    const one = await linking(1);
    expect(one.length).toBeGreaterThan(3);
    expect((await linking(50)).length).toBe(one.length);
  });

  it('has four statements of a creation while it holds its project: it is counted by the one that locks', async () => {
    const statements = await statementsOf(() => owner.newBlog({ title: 'Held for long?' }));
    const texts = statements.map(({ text }) => text).filter((text) => /project\b|slug_claim|"blog"/.test(text));
    const locked = texts.findIndex((text) => text.includes('kept_blogs'));
    const made = texts.findIndex((text) => text.startsWith('INSERT INTO "public"."blog"'));
    expect(locked).toBeGreaterThan(-1);
    expect(texts.slice(locked, made + 1)).toHaveLength(4);
  });
});
