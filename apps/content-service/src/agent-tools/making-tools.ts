import { blogGenerateRequest, image, imageFetchRequest } from '@blog-content/payload-schemas';
import { notFound, unprocessable } from '@blog-content/service-runtime';
import { z } from 'zod';
import { beginGeneration, type BeginGenerationDependencies } from '../generation/begin-generation.ts';
import type { JobRunner } from '../generation/jobs/job-runner.ts';
import type { JobStore } from '../generation/jobs/job-store.ts';
import { showJob } from '../generation/jobs/show-job.ts';
import { saveFetched, type ImageRoutesDependencies } from '../images/image-routes.ts';
import { showImage } from '../images/library/show-image.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { asGeneration, generationAnswer } from './named-answers.ts';
import { defineTool, idempotencyKey, onceByKey, type Tool } from './tool.ts';

export interface MakingToolsDependencies extends ImageRoutesDependencies {
  readonly generations: Pick<JobStore, 'find'>;
  readonly generationRunner: Pick<JobRunner, 'wake' | 'interrupt'>;
  readonly idempotency: IdempotencyStore<BeginGenerationDependencies>;
}

/** Longest image as text, in characters: what a message has room for. */
const MAX_BASE64 = 4_000_000;
const DATA_URL = /^data:[^,]{0,200},/;

/** The tools that have the service make something. */
export function createMakingTools(dependencies: MakingToolsDependencies): Tool[] {
  const { generations, generationRunner, idempotency, images, imageBaseUrl } = dependencies;
  return [
    defineTool({
      name: 'generate_post',
      title: 'Generate a post',
      description:
        'Generates a draft on a topic from the sources you pass. This takes a while: poll generation_status with the returned `generation_id`. ' +
        'Nothing is published.',
      input: blogGenerateRequest.extend({ idempotency_key: idempotencyKey }),
      output: generationAnswer,
      changes: 'something',
      idempotent: false,
      permission: 'draft',
      async run(caller, { idempotency_key: key, ...request }, given) {
        const begun = await onceByKey(idempotency, caller, { key, tool: 'generate_post', given }, async (stores) =>
          showJob(await beginGeneration(stores, caller, request)),
        );
        generationRunner.wake();
        return asGeneration(begun);
      },
    }),
    defineTool({
      name: 'generation_status',
      title: 'Get a generation',
      description:
        'Returns the current step. Once it succeeds, returns the draft’s `blog_id` and a report that lists sentences without a source.',
      input: z.object({ generation_id: z.uuid().describe('`generation_id` returned by generate_post.') }),
      output: generationAnswer,
      changes: 'nothing',
      idempotent: true,
      permission: 'draft',
      async run({ projectId }, input) {
        const job = await generations.find(projectId, input.generation_id);
        if (job === null) throw notFound('Generation not found.');
        return asGeneration(showJob(job));
      },
    }),
    defineTool({
      name: 'upload_image',
      title: 'Add an image',
      description:
        'Stores a PNG, JPEG, WebP, AVIF or GIF in the project’s library, from a URL or as base64. Use a URL for images over 3 MB. ' +
        'Use the returned `url` as `<img src>` or as featured_image_url.',
      input: imageFetchRequest.partial({ url: true }).extend({
        base64: z.string().max(MAX_BASE64).optional().describe('The image file as base64, instead of `url`.'),
      }),
      output: image,
      changes: 'something',
      // The same bytes are the same image.
      idempotent: true,
      permission: 'draft',
      async run({ projectId, id: createdBy }, { url, base64, alt, name }) {
        const about = { projectId, createdBy, alt, name };
        if (url !== undefined && base64 === undefined) {
          return showImage((await saveFetched(images, url, about)).image, imageBaseUrl);
        }
        if (base64 !== undefined && url === undefined) {
          const bytes = Buffer.from(base64.replace(DATA_URL, ''), 'base64');
          return showImage((await images.save({ ...about, source: 'upload', bytes })).image, imageBaseUrl);
        }
        throw unprocessable([{ field: 'url', message: 'or base64 is required: give one of them' }]);
      },
    }),
  ];
}
