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
      title: 'Have a post generated',
      description:
        'Has the service write a draft on a topic, from the sources you give. It takes a while: ask generation_status with the answer’s `generation_id`. ' +
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
      title: 'How far a generation is',
      description:
        'The step that it is in; once it has succeeded, `blog_id` of the draft and a report: read in it which sentences no source supports.',
      input: z.object({ generation_id: z.uuid().describe('`generation_id` of the answer to generate_post.') }),
      output: generationAnswer,
      changes: 'nothing',
      idempotent: true,
      permission: 'draft',
      async run({ projectId }, input) {
        const job = await generations.find(projectId, input.generation_id);
        if (job === null) throw notFound('No such generation.');
        return asGeneration(showJob(job));
      },
    }),
    defineTool({
      name: 'upload_image',
      title: 'Add an image',
      description:
        'Stores a PNG, JPEG, WebP, AVIF or GIF in the project’s library, from a URL or as base64 (some 3 MB; larger ones by URL). ' +
        'Write the answer’s `url` as `src` of an <img>, or as featured_image_url.',
      input: imageFetchRequest.partial({ url: true }).extend({
        base64: z.string().max(MAX_BASE64).optional().describe('The bytes of the image, in place of `url`.'),
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
        throw unprocessable([{ field: 'url', message: 'or base64 is needed: give one of them' }]);
      },
    }),
  ];
}
