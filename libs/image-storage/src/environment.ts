import { booleanVariable, secret, urlVariable } from '@blog-content/service-runtime';
import { z } from 'zod';

/**
 * The variables that say where images are kept: spread into a service's `z.object({ …, ...imageStorageEnvironment })`.
 */
export const imageStorageEnvironment = {
  IMAGE_STORAGE: z.enum(['disk', 's3']).default('disk').describe('Where images are kept: files, or an S3 bucket.'),
  IMAGE_DISK_PATH: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('Folder of the images, with IMAGE_STORAGE=disk; all services have the same.'),
  S3_ENDPOINT: urlVariable({ protocols: ['http:', 'https:'], example: 'https://s3.eu-central-1.amazonaws.com' })
    .optional()
    .describe('Address of the S3 server; Amazon’s of the region unless given.'),
  S3_REGION: z.string().min(1).max(100).default('us-east-1').describe('Region of the bucket.'),
  S3_BUCKET: z.string().min(1).max(255).optional().describe('Bucket of the images, with IMAGE_STORAGE=s3.'),
  S3_FORCE_PATH_STYLE: booleanVariable({ default: false }).describe(
    'Whether the bucket stands in the path of URLs rather than in the host’s name, as many servers need it.',
  ),
  S3_ACCESS_KEY_ID: z.string().min(1).max(255).optional().describe('As whom, with IMAGE_STORAGE=s3.'),
  S3_SECRET_ACCESS_KEY: secret(z.string().min(1).max(1_024)).optional().describe('With which secret.'),
};
export type ImageStorageConfig = Readonly<z.infer<z.ZodObject<typeof imageStorageEnvironment>>>;

const NEEDED = {
  disk: ['IMAGE_DISK_PATH'],
  s3: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
} as const;

/** For `superRefine` of an environment with these variables: those that the chosen storage needs must be set. */
export function needsOfImageStorage(config: ImageStorageConfig, context: z.RefinementCtx): void {
  for (const name of NEEDED[config.IMAGE_STORAGE]) {
    if (config[name] !== undefined) continue;
    const message = `is missing: IMAGE_STORAGE=${config.IMAGE_STORAGE} needs it.`;
    context.addIssue({ code: 'custom', path: [name], message, input: undefined });
  }
}
