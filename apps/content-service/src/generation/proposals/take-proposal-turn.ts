import { proposalRequest } from '@blog-content/payload-schemas';
import type { BrandVoice, BrandVoiceStore } from '../../brand-voice/brand-voice-store.ts';
import { notesInUse } from '../../brand-voice/notes.ts';
import type { SiblingStore } from '../../blogs/translations/sibling-store.ts';
import type { Blog, BlogStore } from '../../blogs/writing/blog-store.ts';
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
import type { ProposalContent, ProposalInput } from './proposal-input.ts';
import { propose, WITHOUT_MODEL } from './propose.ts';
import {
  beginTranslation,
  isTranslation,
  progressOf,
  proposeTranslation,
  translateMore,
  type Translation,
} from './translate-post.ts';

export interface ProposalTurnDependencies {
  readonly posts: Pick<ProjectPosts, 'labels'>;
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly siblings: Pick<SiblingStore, 'list'>;
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

/** What the next step of a translation needs. Notes and version stay those of the first step. */
interface TranslationWork {
  readonly voice: Pick<BrandVoice, 'document' | 'version'>;
  readonly baseVersion: number;
  readonly translation: Translation;
}

/** Makes a proposal: in one step, or a translation in a step for each part of a long post. */
export async function takeProposalTurn(
  {
    posts,
    blogs,
    siblings,
    brandVoices,
    contentWork,
    reportWork,
    modelOf,
    suggestLinks,
    clock,
  }: ProposalTurnDependencies,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<TurnResult> {
  const { projectId, blogId } = job;
  const request = proposalRequest.parse(job.request);
  const blog = blogId === null ? null : await blogs.find(projectId, blogId);
  if (blog === null) throw new JobFailed('blog_deleted', 'The post was deleted.');
  const model = await modelOf(job, signal);
  const begun = job.work as TranslationWork | null;
  const voice = begun?.voice ?? (await brandVoices.find(projectId));
  const brandVoice = WITHOUT_MODEL.has(request.kind) ? null : notesInUse(voice);
  const input: ProposalInput = {
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
  };
  const writer = model?.name ?? OFFLINE;
  const baseVersion = begun?.baseVersion ?? blog.version;
  const begin = async () =>
    beginTranslation(input, request.kind === 'translate' ? null : await sourceOf(siblings, blogs, blog));
  let content: ProposalContent;
  if (isTranslation(request.kind)) {
    const translation = begun?.translation ?? (await begin());
    const next = await translateMore(input, translation);
    const { done, inAll } = progressOf(next);
    if (done < inAll) {
      const { document, version } = voice;
      const work: TranslationWork = { voice: { document, version }, baseVersion, translation: next };
      return { kind: 'checkpoint', step: job.step, stepsDone: done, stepsInAll: inAll, work: { ...work }, writer };
    }
    content = proposeTranslation(input, next);
  } else {
    content = await propose(input, request.kind);
  }
  const { changes, choices, notes } = content;
  // Before the transaction, which would hold a connection while this runs.
  const { content: html } = changes;
  const cleaned =
    html === undefined ? {} : await waitWhileBusy(() => contentWork.clean(projectId, { content: html }), signal);
  const proposed = { ...changes, ...(cleaned.content !== undefined && { content: cleaned.content }) };
  return {
    kind: 'done',
    writer,
    report: null,
    async finish(tx) {
      const now = clock();
      const generated = { id: job.id, request: job.request, kind: request.kind, writer, sources: [], now };
      const provenance = await provenanceOf(tx, generated);
      const about = { projectId, blogId: blog.id, jobId: job.id, kind: request.kind, baseVersion };
      const used = brandVoice && { version: brandVoice.version, parts: brandVoice.parts };
      const proposal = { ...about, changes: proposed, choices, notes, brandVoice: used, provenance };
      return { blogId: blog.id, proposalId: await createProposal(tx, proposal, now) };
    },
  };
}

/** The post that a translation was made from; null if it isn't known. */
async function sourceOf(
  siblings: ProposalTurnDependencies['siblings'],
  blogs: ProposalTurnDependencies['blogs'],
  { id, projectId }: Blog,
): Promise<Blog | null> {
  const members = await siblings.list(projectId, id);
  const sourceId = members.find((member) => member.id === id)?.sourceId ?? null;
  return sourceId === null ? null : blogs.find(projectId, sourceId);
}
