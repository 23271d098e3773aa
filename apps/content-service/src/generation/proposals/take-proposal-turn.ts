import { proposalRequest } from '@blog-content/payload-schemas';
import type { BrandVoiceStore } from '../../brand-voice/brand-voice-store.ts';
import { notesInUse } from '../../brand-voice/notes.ts';
import type { BlogStore } from '../../blogs/writing/blog-store.ts';
import type { ContentWork } from '../../content/content-work.ts';
import { JobFailed, type ClaimedJob, type TurnResult } from '../jobs/job.ts';
import { waitWhileBusy } from '../jobs/wait-while-busy.ts';
import type { Model } from '../model/model.ts';
import type { ProjectPosts } from '../posts/project-posts-store.ts';
import { provenanceOf } from '../posts/provenance-store.ts';
import type { ReportWork } from '../report/report-work.ts';
import type { FoundPlace } from '../writing/place-links.ts';
import { OFFLINE } from '../writing/offline-writer.ts';
import { createProposal } from './proposal-store.ts';
import { propose, WITHOUT_MODEL } from './propose.ts';

export interface ProposalTurnDependencies {
  readonly posts: Pick<ProjectPosts, 'labels'>;
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly brandVoices: Pick<BrandVoiceStore, 'find'>;
  readonly contentWork: Pick<ContentWork, 'clean' | 'readPage'>;
  readonly reportWork: Pick<ReportWork, 'compare'>;
  readonly modelOf: (job: ClaimedJob, signal: AbortSignal) => Promise<Model | null>;
  readonly suggestLinks: (
    projectId: string,
    html: string,
    limit: number,
    blogId?: string,
  ) => Promise<readonly FoundPlace[]>;
  readonly clock: () => Date;
}

/** Makes a proposal, in one step. */
export async function takeProposalTurn(
  { posts, blogs, brandVoices, contentWork, reportWork, modelOf, suggestLinks, clock }: ProposalTurnDependencies,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<TurnResult> {
  const { projectId, blogId } = job;
  const request = proposalRequest.parse(job.request);
  const blog = blogId === null ? null : await blogs.find(projectId, blogId);
  if (blog === null) throw new JobFailed('blog_deleted', 'The post was deleted.');
  const model = await modelOf(job, signal);
  const voice = await brandVoices.find(projectId);
  const brandVoice = WITHOUT_MODEL.has(request.kind) ? null : notesInUse(voice);
  const { changes, choices, notes } = await propose({
    blog,
    request,
    model,
    async textOf(html) {
      const page = await contentWork.readPage(projectId, html);
      if ('refused' in page) throw new JobFailed('too_long', 'The post is too large to read.');
      return page.text;
    },
    suggestLinks: (html, limit) => waitWhileBusy(() => suggestLinks(projectId, html, limit, blog.id), signal),
    compare: (texts) => waitWhileBusy(() => reportWork.compare(projectId, texts), signal),
    notes: brandVoice?.notes ?? null,
    knowledge: voice.document.sources.map((source, index) => ({ ...source, number: index + 1, url: null })),
    labels: await posts.labels(projectId),
  });
  // Before the transaction: this may take its time, and that holds a connection.
  const { content } = changes;
  const cleaned =
    content === undefined ? {} : await waitWhileBusy(() => contentWork.clean(projectId, { content }), signal);
  const proposed = { ...changes, ...(cleaned.content !== undefined && { content: cleaned.content }) };
  const writer = model?.name ?? OFFLINE;
  return {
    kind: 'done',
    writer,
    report: null,
    async finish(tx) {
      const now = clock();
      const generated = { id: job.id, request: job.request, kind: request.kind, writer, sources: [], now };
      const provenance = await provenanceOf(tx, generated);
      const about = { projectId, blogId: blog.id, jobId: job.id, kind: request.kind, baseVersion: blog.version };
      const used = brandVoice && { version: brandVoice.version, parts: brandVoice.parts };
      const proposal = { ...about, changes: proposed, choices, notes, brandVoice: used, provenance };
      return { blogId: blog.id, proposalId: await createProposal(tx, proposal, now) };
    },
  };
}
