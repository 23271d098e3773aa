import {
  blogGenerateRequest,
  type BrandVoiceDocument,
  type GenerationSource,
  type GenerationStep,
} from '@blog-content/payload-schemas';
import { isBusy, OperationalError } from '@blog-content/service-runtime';
import { isContentRefused, type ContentWork } from '../../content/content-work.ts';
import { MAX_BLOGS } from '../../limits.ts';
import type { BrandVoiceStore } from '../../brand-voice/brand-voice-store.ts';
import { notesInUse } from '../../brand-voice/notes.ts';
import { isQuotaReached } from '../../quotas/quota-reached.ts';
import { createBlogStore } from '../../blogs/writing/blog-store.ts';
import { newDraft } from '../../blogs/writing/draft.ts';
import { JobFailed, type ClaimedJob, type JsonObject, type TurnResult } from '../jobs/job.ts';
import { waitWhileBusy } from '../jobs/wait-while-busy.ts';
import type { ReportWork } from '../report/report-work.ts';
import type { GivenSource } from '../report/write-report.ts';
import { OFFLINE } from '../writing/offline-writer.ts';
import { limitMeta, limitOutline, limitSection } from '../writing/limit-answers.ts';
import { limitSources } from '../writing/limit-sources.ts';
import { MAX_SOURCE_CHARACTERS } from '../writing/model-writer.ts';
import { placeLinks, type FoundPlace } from '../writing/place-links.ts';
import { sharedTerms, termsOf } from '../writing/plain.ts';
import { renderPost, textsOf } from '../writing/render-post.ts';
import type { OwnPost, Writer, WritingContext } from '../writing/writer.ts';
import { progressOf, type PostWork } from './post-work.ts';
import { keepProvenance, provenanceOf } from './provenance-store.ts';
import type { ProjectPosts } from './project-posts-store.ts';

export interface PostTurnDependencies {
  readonly posts: ProjectPosts;
  readonly brandVoices: Pick<BrandVoiceStore, 'find'>;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly reportWork: Pick<ReportWork, 'write'>;
  /** Which published posts of the project fit where in HTML. */
  readonly suggestLinks: (projectId: string, html: string, limit: number) => Promise<readonly FoundPlace[]>;
  /** The picture that was stored for a job; null for none. */
  readonly findPicture: (job: Pick<ClaimedJob, 'id' | 'projectId'>) => Promise<string | null>;
  /** Stores a job's picture in the project’s library. @throws OperationalError for one that is not taken. */
  readonly storePicture: (picture: {
    readonly jobId: string;
    readonly projectId: string;
    readonly createdBy: string;
    readonly bytes: Buffer;
    readonly alt: string;
  }) => Promise<string>;
  readonly clock: () => Date;
  /** The writer of a job: what it spends is charged to the job. */
  readonly writerOf: (job: ClaimedJob, signal: AbortSignal) => Promise<Writer>;
  /** Reads a source that was given; never throws for one that cannot be read. */
  readonly readSource: (task: {
    readonly projectId: string;
    readonly source: GenerationSource;
    readonly number: number;
    readonly signal: AbortSignal;
  }) => Promise<GivenSource>;
}

/** Most posts of the project that a writer is shown. */
const MAX_SHOWN_POSTS = 20;
/** Most links that are placed. */
const MAX_LINKS = 8;
/**
 * Most characters that the sources of a job have together: they are in its row, are read for each step, and each
 * sentence of the draft is looked up in them.
 */
const MAX_SOURCES_LENGTH = 100_000;

/**
 * Does the next step of a post. Each section is a step of its own. What a step needs of the ones before is in the
 * job's row, so any process can do it, and again after one that died.
 */
export async function takePostTurn(
  dependencies: PostTurnDependencies,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<TurnResult> {
  const request = blogGenerateRequest.parse(job.request);
  const { sources: given, ...brief } = request;
  const { posts, readSource } = dependencies;
  const writer = await dependencies.writerOf(job, signal);
  const step = job.step as GenerationStep;
  const done = job.work as unknown as PostWork | null;

  const goTo = (next: GenerationStep, work: PostWork, readNow?: readonly GivenSource[]): TurnResult => ({
    kind: 'checkpoint',
    step: next,
    ...progressOf(next, work),
    work: work as unknown as JsonObject,
    ...(readNow && { sources: readNow as unknown as readonly JsonObject[] }),
    writer: writer.name,
  });

  if (done === null) {
    const read: GivenSource[] = [];
    for (const [index, source] of given.entries()) {
      read.push(await readSource({ projectId: job.projectId, source, number: index + 1, signal }));
    }
    const { sources, cut: tooLong } = limitSources(read, MAX_SOURCES_LENGTH);
    const voice = await dependencies.brandVoices.find(job.projectId);
    const brandVoice = writer.name === OFFLINE ? notesInUse(voice, ['sources']) : notesInUse(voice);
    const knowledge = knowledgeOf(voice.document, given.length);
    const all = [...sources, ...knowledge];
    const cutOfSources =
      writer.name === OFFLINE
        ? tooLong
        : [read, knowledge].flatMap((some) => limitSources(some, MAX_SOURCE_CHARACTERS).cut);
    const near = `${brief.topic} ${brief.keyword ?? ''} ${(brief.outline ?? []).join(' ')}`;
    const ownPosts = nearest(near, await posts.published(job.projectId));
    const { answer: outline, cut } = limitOutline(
      await writer.outline({ brief, ...readable(all), notes: brandVoice?.notes ?? null, ownPosts }),
      brief,
    );
    const begun = { ownPosts, brandVoice, outline, sections: [], links: [], pictures: [] };
    return goTo('sections', { ...begun, cut: [...cutOfSources, ...cut] }, all);
  }

  const givenSources = job.sources as readonly GivenSource[];
  const { sources, knowledge } = readable(givenSources);
  const notes = done.brandVoice?.notes ?? null;
  const context: WritingContext = { brief, sources, knowledge, notes, ownPosts: done.ownPosts };
  const { outline, sections } = done;
  switch (step) {
    case 'outline':
    case 'sections': {
      const index = sections.length;
      const written = await writer.section({ ...context, outline, index });
      const heading = outline.sections[index]?.heading ?? '';
      const { answer, cut } = limitSection(written, heading, givenSources.length);
      const work = { ...done, sections: [...sections, answer], cut: [...done.cut, ...cut] };
      return goTo(work.sections.length < outline.sections.length ? 'sections' : 'links', work);
    }
    case 'links': {
      const html = renderPost({ notice: writer.notice, outline, sections, sources });
      const links = await dependencies.suggestLinks(job.projectId, html, MAX_LINKS);
      const placed = links.map(({ slug, title, anchor }) => ({ slug, title, anchor }));
      return goTo('meta', { ...done, html: placeLinks(html, links), links: placed });
    }
    case 'meta': {
      const labels = await posts.labels(job.projectId);
      const text = sections.flatMap(textsOf).join('\n');
      const answer = await writer.meta({ ...context, title: outline.title, text, ...labels });
      const limited = limitMeta(answer, { brief, ...labels });
      return goTo('pictures', { ...done, meta: limited.answer, cut: [...done.cut, ...limited.cut] });
    }
    case 'pictures': {
      if (!brief.pictures) return goTo('checks', done);
      const { pictures, cut } = await drawPicture(dependencies, job, writer, { title: outline.title, brief, signal });
      return goTo('checks', { ...done, pictures, cut: [...done.cut, ...cut] });
    }
    case 'checks':
      return finishPost(dependencies, job, writer, { ...done, sources: givenSources }, brief);
  }
}

/**
 * A picture that cannot be kept is left out, and the report says why. One that a process had stored before it died is
 * taken: drawing costs, and leaves another in the library.
 */
async function drawPicture(
  { findPicture, storePicture }: PostTurnDependencies,
  { id: jobId, projectId, requestedBy }: ClaimedJob,
  writer: Writer,
  { title, brief, signal }: { readonly title: string; readonly signal: AbortSignal } & Pick<WritingContext, 'brief'>,
): Promise<Pick<PostWork, 'pictures' | 'cut'>> {
  if (writer.draw === undefined) return { pictures: [], cut: ['images: no image model is configured'] };
  const stored = await findPicture({ id: jobId, projectId });
  if (stored !== null) return { pictures: [stored], cut: [] };
  const bytes = await writer.draw(brief);
  try {
    const picture = { jobId, projectId, createdBy: requestedBy, bytes, alt: title };
    const url = await waitWhileBusy(() => storePicture(picture), signal);
    return { pictures: [url], cut: [] };
  } catch (error) {
    const isRefused = error instanceof OperationalError && error.status < 500 && !isBusy(error);
    if (!isRefused) throw error;
    return { pictures: [], cut: [`an image that could not be stored: ${error.message}`] };
  }
}

async function finishPost(
  { posts, contentWork, reportWork, clock }: PostTurnDependencies,
  job: ClaimedJob,
  writer: Writer,
  work: PostWork & { readonly sources: readonly GivenSource[] },
  brief: WritingContext['brief'],
): Promise<TurnResult> {
  const { projectId } = job;
  const { html = '', meta, outline } = work;
  if (meta === undefined) throw new Error('The checks are the last step.');
  // Before the transaction: this may take its time, and that holds a connection.
  const written = await orJobFailed(contentWork.clean(projectId, { content: html }));
  const known = await posts.all(projectId);
  const { cut, links, sections, sources, ownPosts, brandVoice = null } = work;
  const drafted = { outline, sections, sources, links, cut, ownPosts, brandVoice, isOutline: writer.name === OFFLINE };
  const report = await reportWork.write(projectId, { ...drafted, brief, meta, known });
  const draft = newDraft(
    {
      title: outline.title,
      excerpt: meta.excerpt,
      meta_title: meta.meta_title || null,
      meta_description: meta.meta_description || null,
      keyword: meta.keyword || null,
      categories: meta.categories,
      tags: meta.tags,
      generated_images: [...work.pictures],
    },
    written,
  );
  return {
    kind: 'done',
    writer: writer.name,
    report: report as unknown as JsonObject,
    async finish(tx) {
      // The slug is made from the title, and is a free one.
      const blog = await createBlogStore(tx, clock)
        .create(projectId, draft, null)
        .catch((error: unknown) => {
          if (isQuotaReached(error)) throw new JobFailed(error.code, error.detail, { cause: error });
          throw error;
        });
      if (blog === 'too_many') {
        throw new JobFailed('too_many_blogs', `Limit reached: ${MAX_BLOGS} posts per project. Delete some first.`);
      }
      if (blog === 'no_project') throw new JobFailed('project_deleted', 'The project was deleted.');
      if ('refused' in blog) throw new Error('A free slug was taken.');
      const sources = work.sources.filter(({ text }) => text !== null).map(({ title, url }) => ({ title, url }));
      const generated = { id: job.id, request: job.request, kind: 'post', writer: writer.name, sources, now: clock() };
      await keepProvenance(tx, blog.id, await provenanceOf(tx, generated));
      return { blogId: blog.id };
    },
  };
}

/** @throws JobFailed for content that is refused; not for errors that may pass. */
async function orJobFailed<T>(cleaning: Promise<T>): Promise<T> {
  try {
    return await cleaning;
  } catch (error) {
    if (!isContentRefused(error)) throw error;
    throw new JobFailed('content_refused', 'The generated text exceeds the limits of a post.', { cause: error });
  }
}

/** The project's own sources, numbered after those that were given. */
const knowledgeOf = ({ sources }: BrandVoiceDocument, given: number): GivenSource[] =>
  sources.map(({ title, text }, index) => ({
    ...{ number: given + index + 1, title, text },
    ...{ url: null, problem: null, isKnowledge: true },
  }));

function readable(all: readonly GivenSource[]): Pick<WritingContext, 'sources' | 'knowledge'> {
  const read = all.flatMap((source) => (source.text === null ? [] : [{ ...source, text: source.text }]));
  return {
    sources: read.filter(({ isKnowledge }) => !isKnowledge),
    knowledge: read.filter(({ isKnowledge }) => isKnowledge),
  };
}

/** The posts that share most words with a text, the nearest first; none that shares none. */
function nearest(text: string, posts: readonly OwnPost[]): OwnPost[] {
  const wanted = termsOf(text);
  return posts
    .map((post) => {
      const terms = termsOf(`${post.title} ${post.keyword ?? ''}`);
      return { post, shared: sharedTerms(terms, wanted) };
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_SHOWN_POSTS)
    .map(({ post }) => post);
}
