import { buffer } from 'node:stream/consumers';
import { type Backoff, backoffMs, TooBusy } from '@blog-content/concurrency';
import { IMAGE_TYPES, type ImageStorage } from '@blog-content/image-storage';
import type { Logger } from '@blog-content/service-runtime';
import { ImageRefused, type Encoder } from '../encoding/start-encoder.ts';
import type { ImageFormat } from '../encoding/sniff-image.ts';
import { claimInTurns, type ItemOfAccount } from '../../platform/workload/claim-in-turns.ts';
import type { DueWatch } from '../../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../../platform/workload/work-runner.ts';
import { storageKey } from '../image-urls.ts';
import { dueVariants, type ClaimedImage, type VariantStore } from './variant-store.ts';

export interface VariantWorkerDependencies {
  readonly variants: VariantStore;
  readonly imageStorage: Pick<ImageStorage, 'get' | 'put'>;
  readonly imageEncoder: Pick<Encoder, 'encode'>;
  readonly logger: Logger;
  readonly dueWatch: Pick<DueWatch, 'add'>;
}

interface ImageOfAccount extends ItemOfAccount {
  readonly image: ClaimedImage;
}

/** A variant that could not be made so often never will be: readers have the original in its place. */
const MAX_VARIANT_TRIES = 3;
const VARIANT_BACKOFF: Backoff = { firstMs: 5_000, maxMs: 5 * 60_000 };

/**
 * Makes missing variants, one at a time; accounts take turns, and so do the projects of one account. Every replica has
 * a worker: a lease on the image's row decides who makes its next variant, and a variant that was made twice is the
 * same. Whoever dies leaves a lease that ends.
 */
export function startVariantWorker(dependencies: VariantWorkerDependencies) {
  const { variants, dueWatch, logger } = dependencies;
  const runner = startWorkRunner<ImageOfAccount>({
    name: 'image.variant',
    logger,
    claim: claimInTurns(
      () => variants.dueProjects(),
      async (projectId, account) => {
        const image = await variants.claim(projectId);
        return image && { account, image };
      },
    ),
    run: ({ image }) =>
      makeNext(dependencies, image).catch(async (error: unknown) => {
        const delayMs = backoffMs(image.tries, VARIANT_BACKOFF);
        logger.warn('image.variant.trouble', { image_id: image.id, tries: image.tries, retry_in_ms: delayMs, error });
        await variants.postpone(image.id, delayMs);
      }),
  });
  dueWatch.add(dueVariants, runner.wake);
  return runner;
}

async function makeNext(
  { variants, imageStorage, imageEncoder, logger }: VariantWorkerDependencies,
  image: ClaimedImage,
) {
  const [variant = ''] = image.missing;
  const [width = '', ext = ''] = variant.split('.');
  const format = ext as ImageFormat;
  const stored = await imageStorage.get(storageKey(image));
  if (stored === null) throw new Error('The original is missing from the storage.');
  const bytes = await buffer(stored.body);
  try {
    const task = { kind: 'variant', bytes, format, width: Number(width) } as const;
    const encoded = await imageEncoder.encode(image.projectId, task);
    await imageStorage.put(storageKey({ ...image, ext: format }, Number(width)), encoded.bytes, IMAGE_TYPES[format]);
    await variants.settle(image.id, variant, 'made');
    logger.debug('image.variant', { image_id: image.id, variant, bytes: encoded.bytes.length });
  } catch (error) {
    if (error instanceof TooBusy || image.tries < MAX_VARIANT_TRIES) throw error;
    const reason = error instanceof ImageRefused ? error.message : undefined;
    logger.warn('image.variant.given_up', { image_id: image.id, variant, reason, error });
    // Where the storage is away it is tried for longer: that is no fault of the image.
    if (!(error instanceof ImageRefused)) throw error;
    await variants.settle(image.id, variant, 'failed');
  }
}
