import { booleanVariable, secret, urlVariable } from '@blog-content/service-runtime';
import { z } from 'zod';

/**
 * The variables that say where images are kept: spread into a service's `z.object({ …, ...imageStorageEnvironment })`.
 */
export const imageStorageEnvironment = {
  IMAGE_STORAGE: z
    .enum(['disk', 's3'])
    .default('disk')
    .describe('Image storage: `disk` for files, or `s3` for an S3 bucket.'),
  IMAGE_DISK_PATH: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('Image folder, required with IMAGE_STORAGE=disk. content-service and public-read-service share it.'),
  S3_ENDPOINT: urlVariable({ protocols: ['http:', 'https:'], example: 'https://s3.eu-central-1.amazonaws.com' })
    .optional()
    .describe('URL of the S3 server. Defaults to Amazon’s for the region.'),
  S3_REGION: z.string().min(1).max(100).default('us-east-1').describe('Region of the bucket.'),
  S3_BUCKET: z.string().min(1).max(255).optional().describe('Image bucket, required with IMAGE_STORAGE=s3.'),
  S3_FORCE_PATH_STYLE: booleanVariable({ default: false }).describe(
    'Whether URLs contain the bucket in the path instead of the host name. Many S3-compatible servers need this.',
  ),
  S3_ACCESS_KEY_ID: z.string().min(1).max(255).optional().describe('Access key ID, required with IMAGE_STORAGE=s3.'),
  S3_SECRET_ACCESS_KEY: secret(z.string().min(1).max(1_024))
    .optional()
    .describe('Secret access key, required with IMAGE_STORAGE=s3.'),
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
    const message = `is missing. It is required with IMAGE_STORAGE=${config.IMAGE_STORAGE}.`;
    context.addIssue({ code: 'custom', path: [name], message, input: undefined });
  }
}
