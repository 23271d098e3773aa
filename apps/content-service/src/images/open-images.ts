import type { ImageStorage } from '@blog-content/image-storage';
import type { Logger } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import pLimit from 'p-limit';
import type { Database } from '../platform/database/open-database.ts';
import type { DueWatch } from '../platform/workload/due-watch-store.ts';
import { startEncoder, type Encoder } from './encoding/start-encoder.ts';
import { createImageFetcher, type ImageFetcher } from './fetching/fetch-image.ts';
import { limitImagesInMemory, type WithImageInMemory } from './images-in-memory.ts';
import { createImageStore, type ImageQuota, type ImageStore } from './library/image-store.ts';
import { saveImage, type GivenImage, type SavedImage } from './library/save-image.ts';
import { deleteImages, sweepImages } from './sweeping/sweep-images.ts';
import { createImageSweepStore } from './sweeping/sweep-store.ts';
import { createVariantStore } from './variants/variant-store.ts';
import { startVariantWorker } from './variants/variant-worker.ts';

/** The images of all projects, with what works on them. */
export interface Images {
  readonly store: ImageStore;
  /** The most that a project may have. */
  readonly quota: ImageQuota;
  /** Stores an image: see {@link saveImage}. */
  save(given: GivenImage): Promise<SavedImage>;
  readonly inMemory: WithImageInMemory;
  readonly fetch: ImageFetcher;
  /** Deletes the bytes of an image that was removed. */
  deleteRemoved(imageId: string): Promise<void>;
  /** Finds some orphans, and deletes some of what is to go. @returns how many images it has seen. */
  sweep(): Promise<number>;
  /** Ends the work on variants, and the encoding processes. */
  close(): Promise<void>;
}

export interface ImagesOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly imageStorage: ImageStorage;
  readonly guard: Pick<UrlGuard, 'check' | 'gotOptions'>;
  readonly userAgent: string;
  /** The account that owns a project. Accounts take turns, because one may have many projects. */
  readonly ownerOf: (projectId: string) => Promise<string>;
  readonly quota: ImageQuota;
  /** How long an image is kept that nothing uses, in milliseconds. */
  readonly unusedMs: number;
  /** Most memory that one image may take. */
  readonly encoderMemoryMib: number;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  readonly logger: Logger;
}

/** Whoever uploads waits for these: two processes, of which an account has one. */
const UPLOADS = { slots: 2, slotsEach: 1, waitingEach: 20, waiting: 100, maxWaitMs: 60_000 };
const UPLOAD_DEADLINE_MS = 60_000;
/** Nobody waits for variants: one after the other, behind everything else. */
const VARIANTS = { slots: 1, slotsEach: 1, waitingEach: 1, waiting: 1, maxWaitMs: 120_000 };
const VARIANT_DEADLINE_MS = 120_000;
/** Enough for JPEG, PNG and plain WebP of 40 megapixels, in MB. What takes more is read alone. */
const USUAL_MEMORY_MIB = 640;
const DAY_MS = 24 * 3_600_000;

export function openImages(options: ImagesOptions): Images {
  const { database, clock, imageStorage, guard, userAgent, ownerOf, quota, unusedMs, logger } = options;
  const memory = {
    memoryMib: Math.min(USUAL_MEMORY_MIB, options.encoderMemoryMib),
    large: { memoryMib: options.encoderMemoryMib, limit: pLimit(1) },
  };
  const inMemory = limitImagesInMemory();
  const store = createImageStore(database, clock, quota);
  const ofAccounts = (encoder: Encoder): Encoder => ({
    ...encoder,
    encode: async (projectId, task) => encoder.encode(await ownerOf(projectId), task),
  });
  const imageEncoder = startEncoder({
    ...UPLOADS,
    deadlineMs: UPLOAD_DEADLINE_MS,
    priority: 'low',
    ...memory,
  });
  const variantEncoder = startEncoder({
    ...VARIANTS,
    deadlineMs: VARIANT_DEADLINE_MS,
    priority: 'lowest',
    ...memory,
  });
  const worker = startVariantWorker({
    variants: createVariantStore(database, clock),
    imageStorage,
    imageEncoder: ofAccounts(variantEncoder),
    logger,
    dueWatch: options.dueWatch,
  });
  const saving = {
    images: store,
    imageStorage,
    imageEncoder: ofAccounts(imageEncoder),
    imageQuota: quota,
    onImageStored: () => worker.wake(),
  };
  const sweeping = { sweepStore: createImageSweepStore(database, clock), imageStorage, logger };
  // What is to go soon is looked at more often.
  const times = { checkMs: Math.min(DAY_MS, unusedMs), unusedMs, graceMs: Math.min(DAY_MS, unusedMs) };
  return {
    store,
    quota,
    save: (given) => saveImage(saving, given),
    inMemory,
    fetch: createImageFetcher(guard, userAgent, inMemory),
    async deleteRemoved(imageId) {
      await deleteImages(sweeping, imageId);
    },
    sweep: () => sweepImages(sweeping, times),
    async close() {
      await variantEncoder.close();
      await worker.stop();
      await imageEncoder.close();
    },
  };
}
