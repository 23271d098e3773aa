import { randomUUID } from 'node:crypto';
import type { BlogUpdateRequest, BrandVoiceUse, Provenance } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import { createSibling, createSiblingStore, noteSource } from '../../blogs/translations/sibling-store.ts';
import { lockBlogCount } from '../../blogs/writing/blog-count-store.ts';
import { createBlogStore } from '../../blogs/writing/blog-store.ts';
import { draftChanges, newDraft } from '../../blogs/writing/draft.ts';
import { lockBlog } from '../../blogs/writing/working-copy-store.ts';
import { Prisma, type Proposal } from '../../generated/prisma/client.ts';
import { longTransaction, type Database, type Transaction } from '../../platform/database/open-database.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import { JobFailed } from '../jobs/job.ts';
import { keepProvenance } from '../posts/provenance-store.ts';

export type { Proposal };

/** New values of fields, the content cleaned. */
export type ProposedChanges = Omit<BlogUpdateRequest, 'slug' | 'content_markdown'> & {
  /** What a translation was made from. */
  readonly translation?: { readonly source_id: string; readonly revision: number; readonly language: string };
};

export interface NewProposal {
  readonly projectId: string;
  readonly blogId: string;
  readonly jobId: string;
  readonly kind: string;
  readonly baseVersion: number;
  readonly changes: ProposedChanges;
  readonly choices: readonly string[];
  readonly notes: readonly string[];
  /** What it was made with of the project's notes; null for nothing. */
  readonly brandVoice: BrandVoiceUse | null;
  readonly provenance: Provenance;
}

export interface Settling {
  readonly projectId: string;
  readonly proposalId: string;
  /** The account or the agent key. */
  readonly settledBy: string;
}

export type AcceptRefusal =
  | 'not_found'
  | 'settled'
  | 'no_choice'
  | 'blog_gone'
  | 'if_match'
  | 'changed_since'
  | 'translated'
  | 'too_many';

/** Most proposals of a blog that are kept. */
const MAX_PROPOSALS = 100;

/** Rolls back; never leaves this file. */
class AcceptRefused extends Error {
  readonly because: AcceptRefusal;

  constructor(because: AcceptRefusal) {
    super(because);
    this.because = because;
  }
}

export type ProposalStore = ReturnType<typeof createProposalStore>;

/** Proposals of a project. */
export function createProposalStore(database: Database, clock: () => Date) {
  async function lock(tx: Transaction, { projectId, proposalId }: Settling): Promise<Proposal | null> {
    await tx.$executeRaw`
      SELECT id FROM proposal WHERE id = ${proposalId}::uuid AND project_id = ${projectId}::uuid FOR UPDATE`;
    return tx.proposal.findFirst({ where: { id: proposalId, projectId } });
  }
  const settle = (tx: Transaction, { proposalId, settledBy }: Settling, data: Prisma.ProposalUpdateInput) =>
    tx.proposal.update({ where: { id: proposalId }, data: { ...data, settledBy, settledAt: clock() } });

  async function take(
    tx: Transaction,
    proposal: Proposal,
    choice: number,
    mayChange: MayChange,
  ): Promise<string | null> {
    const blogs = createBlogStore(tx, clock);
    const { projectId, blogId, kind, baseVersion, choices } = proposal;
    const { translation, ...given } = proposal.changes as ProposedChanges;
    const title = choices[choice];
    if (choices.length > 0 && title === undefined) throw new AcceptRefused('no_choice');
    const changes = title === undefined ? given : { ...given, title };
    const written = changes.content === undefined ? {} : { content: changes.content, contentMarkdown: null };
    if (kind === 'translate') {
      const draft = newDraft({ ...changes, title: changes.title ?? 'Draft' }, written);
      const members = await createSiblingStore(tx, clock).list(projectId, blogId);
      const source = members.find(({ id }) => id === blogId);
      if (source === undefined) throw new AcceptRefused('blog_gone');
      // A source without a language has no translations.
      const isAlone = translation === undefined || source.language === null;
      if (!isAlone && members.some(({ language }) => language === translation.language)) {
        throw new AcceptRefused('translated');
      }
      const made = isAlone
        ? await blogs.create(projectId, draft, null, draft.extra.authors)
        : await createSibling(tx, clock, { projectId, sourceId: blogId, ...translation }, () => draft);
      if (typeof made === 'object' && 'id' in made) return made.id;
      throw new AcceptRefused(made === 'too_many' ? 'too_many' : 'blog_gone');
    }
    let because: AcceptRefusal = 'changed_since';
    const edited = await blogs.edit(
      projectId,
      blogId,
      draftChanges(changes, written),
      undefined,
      (version, isScheduled) => {
        if (mayChange(version, isScheduled)) return version === baseVersion;
        because = 'if_match';
        return false;
      },
    );
    if (edited === 'changed') throw new AcceptRefused(because);
    if (typeof edited !== 'object') throw new AcceptRefused('blog_gone');
    if (translation !== undefined) {
      await noteSource(tx, blogId, { id: translation.source_id, revision: translation.revision });
    }
    return null;
  }

  return {
    find: (projectId: string, proposalId: string): Promise<Proposal | null> =>
      database.proposal.findFirst({ where: { id: proposalId, projectId } }),

    /** Newest first, one more than the page holds. */
    list: (projectId: string, blogId: string, { from, limit }: Page): Promise<Proposal[]> =>
      database.proposal.findMany({
        where: { projectId, blogId, ...(from !== null && { position: { lt: BigInt(from) } }) },
        orderBy: { position: 'desc' },
        take: limit + 1,
      }),

    /**
     * Changes the blog, or makes the draft, and settles the proposal: all of it or nothing. Again, it changes nothing.
     */
    async accept(settling: Settling, choice: number, mayChange: MayChange): Promise<Proposal | AcceptRefusal> {
      try {
        return await database.$transaction(async (tx) => {
          const found = await tx.proposal.findFirst({
            where: { id: settling.proposalId, projectId: settling.projectId },
            select: { kind: true, blogId: true },
          });
          if (found === null) return 'not_found';
          // Before the proposal, as where a blog is deleted with its proposals: no deadlock.
          if (found.kind === 'translate') await lockBlogCount(tx, settling.projectId);
          await lockBlog(tx, settling.projectId, found.blogId);
          const proposal = await lock(tx, settling);
          if (proposal === null) return 'not_found';
          if (proposal.status === 'accepted') return proposal;
          if (proposal.status !== 'open') return 'settled';
          const newBlogId = await take(tx, proposal, choice, mayChange);
          const taken = { accepted_by: settling.settledBy, accepted_at: clock().toISOString() };
          const provenance = { ...(proposal.provenance as Provenance), ...taken };
          await keepProvenance(tx, newBlogId ?? proposal.blogId, provenance);
          return settle(tx, settling, { status: 'accepted', newBlogId });
        }, longTransaction());
      } catch (error) {
        if (error instanceof AcceptRefused) return error.because;
        throw error;
      }
    },

    reject: (settling: Settling): Promise<Proposal | 'not_found' | 'settled'> =>
      database.$transaction(async (tx) => {
        const proposal = await lock(tx, settling);
        if (proposal === null) return 'not_found';
        if (proposal.status === 'rejected') return proposal;
        return proposal.status === 'open' ? settle(tx, settling, { status: 'rejected' }) : 'settled';
      }),
  };
}

/**
 * Makes a proposal, in the transaction in which its job succeeds.
 *
 * @throws JobFailed when its blog has been deleted meanwhile.
 */
export async function createProposal(tx: Transaction, proposal: NewProposal, now: Date): Promise<string> {
  const { changes, provenance, choices, notes, brandVoice, blogId } = proposal;
  const held = await tx.$queryRaw<object[]>`
    SELECT FROM blog WHERE id = ${blogId}::uuid AND state <> 'deleted' FOR SHARE`;
  if (held.length === 0) throw new JobFailed('blog_deleted', 'The post was deleted.');
  const data = {
    ...proposal,
    choices: [...choices],
    notes: [...notes],
    brandVoice: brandVoice === null ? Prisma.DbNull : { ...brandVoice },
    changes: changes as unknown as Prisma.InputJsonObject,
    provenance: provenance as unknown as Prisma.InputJsonObject,
  };
  const { id } = await tx.proposal.create({
    data: { ...data, id: randomUUID(), status: 'open', createdAt: now },
    select: { id: true },
  });
  await tx.$executeRaw`
    DELETE FROM proposal WHERE blog_id = ${blogId}::uuid AND position < (
      SELECT position FROM proposal WHERE blog_id = ${blogId}::uuid
      ORDER BY position DESC OFFSET ${MAX_PROPOSALS - 1} LIMIT 1)`;
  return id;
}
