import { randomUUID } from 'node:crypto';
import type { Page } from '@blog-content/service-runtime';
import type { Author } from '../generated/prisma/client.ts';
import { numberedSlug } from '../content/slugify.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { authorStateOf, emitProjectChange, lockProject, type ProjectActor } from '../projects/project-change-store.ts';
import { sameAuthor } from './match-authors.ts';
import { MAX_AUTHORS, MAX_AUTHORS_BYTES, MAX_FORMER_SLUGS } from './author-limits.ts';

export type { Author };

/** The fields of an author that a request sets. */
export interface AuthorFields {
  readonly name: string;
  readonly slug: string;
  readonly bio: string | null;
  readonly avatarUrl: string | null;
  readonly links: { label: string; url: string }[];
  readonly sameAs: string[];
  readonly email: string | null;
  readonly accountId: string | null;
}

export type AuthorRefusal = 'not_found' | 'slug_taken' | 'member_taken' | 'no_member' | 'too_many' | 'too_large';

export type AuthorStore = ReturnType<typeof createAuthorStore>;

/** The authors of projects. Every change locks the project's row and is emitted on `blog.projects`, with all of them. */
export function createAuthorStore(database: Database | Transaction, clock: () => Date) {
  /** Runs a change for a member of the project, and emits it unless it was refused. */
  const change = (
    { projectId, id: accountId }: ProjectActor,
    apply: (tx: Transaction, authors: readonly Author[]) => Promise<Author | AuthorRefusal>,
  ): Promise<Author | AuthorRefusal> =>
    database.$transaction(async (tx) => {
      if (!(await lockProject(tx, projectId))) return 'not_found';
      if ((await tx.projectMember.count({ where: { projectId, accountId } })) === 0) return 'not_found';
      const result = await apply(tx, await tx.author.findMany({ where: { projectId } }));
      if (typeof result === 'object') await emitProjectChange(tx, projectId, clock());
      return result;
    });

  async function add(
    tx: Transaction,
    { projectId }: ProjectActor,
    authors: readonly Author[],
    fields: AuthorFields,
    isSlugGiven: boolean,
  ): Promise<Author | AuthorRefusal> {
    if (authors.length >= MAX_AUTHORS) return 'too_many';
    const slug = isSlugGiven ? fields.slug : freeSlug(fields.slug, authors);
    const refusal = await refusalOf(tx, projectId, { ...fields, slug }, authors);
    if (refusal !== null) return refusal;
    const data = { ...fields, slug, id: randomUUID(), projectId, createdAt: clock() };
    return tooLarge([...authors, { ...data, formerSlugs: [] }]) ? 'too_large' : tx.author.create({ data });
  }

  return {
    /** @param isSlugGiven if not, the slug was made from the name, and gets a number if it is taken. */
    create: (actor: ProjectActor, fields: AuthorFields, isSlugGiven: boolean): Promise<Author | AuthorRefusal> =>
      change(actor, (tx, authors) => add(tx, actor, authors, fields, isSlugGiven)),

    /** The matching author ({@link sameAuthor}), or a new one, whose slug gets a number if it is taken. */
    findOrCreate: (actor: ProjectActor, fields: AuthorFields): Promise<Author | AuthorRefusal> =>
      change(
        actor,
        async (tx, authors) => sameAuthor(authors, fields) ?? (await add(tx, actor, authors, fields, false)),
      ),

    change: (actor: ProjectActor, id: string, changes: Partial<AuthorFields>): Promise<Author | AuthorRefusal> =>
      change(actor, async (tx, authors) => {
        const before = authors.find((author) => author.id === id);
        if (!before) return 'not_found';
        const others = authors.filter((author) => author !== before);
        const refusal = await refusalOf(tx, actor.projectId, changes, others);
        if (refusal !== null) return refusal;
        const { slug = before.slug } = changes;
        const former = [...before.formerSlugs, before.slug].filter((known) => known !== slug);
        const data = { ...changes, formerSlugs: [...new Set(former)].slice(-MAX_FORMER_SLUGS) };
        if (tooLarge([...others, { ...before, ...data }])) return 'too_large';
        return tx.author.update({ where: { id }, data });
      }),

    delete: (actor: ProjectActor, id: string): Promise<Author | AuthorRefusal> =>
      change(actor, async (tx, authors) =>
        authors.some((author) => author.id === id) ? tx.author.delete({ where: { id } }) : 'not_found',
      ),

    /** All of a project, in order of creation. */
    all: (projectId: string): Promise<Author[]> =>
      database.author.findMany({ where: { projectId }, orderBy: { position: 'asc' } }),

    find: (projectId: string, id: string): Promise<Author | null> =>
      database.author.findFirst({ where: { id, projectId } }),

    /** In order of creation, one more than the page holds. */
    list: (projectId: string, { from, limit }: Page): Promise<Author[]> =>
      database.author.findMany({
        where: { projectId, ...(from !== null && { position: { gt: BigInt(from) } }) },
        orderBy: { position: 'asc' },
        take: limit + 1,
      }),
  };
}

const slugsOf = ({ slug, formerSlugs }: Author) => [slug, ...formerSlugs];

/** The slug, or the first free one with a number: earlier slugs of others are not free. */
function freeSlug(slug: string, authors: readonly Author[]): string {
  const taken = new Set(authors.flatMap(slugsOf));
  for (let attempt = 1; ; attempt += 1) {
    const tried = numberedSlug(slug, attempt);
    if (!taken.has(tried)) return tried;
  }
}

async function refusalOf(
  tx: Transaction,
  projectId: string,
  { slug, accountId }: Partial<AuthorFields>,
  others: readonly Author[],
): Promise<AuthorRefusal | null> {
  if (slug !== undefined && others.some((author) => slugsOf(author).includes(slug))) return 'slug_taken';
  if (accountId === undefined || accountId === null) return null;
  if (others.some((author) => author.accountId === accountId)) return 'member_taken';
  return (await tx.projectMember.count({ where: { projectId, accountId } })) === 0 ? 'no_member' : null;
}

function tooLarge(authors: readonly Parameters<typeof authorStateOf>[0][]): boolean {
  return Buffer.byteLength(JSON.stringify(authors.map(authorStateOf))) > MAX_AUTHORS_BYTES;
}
