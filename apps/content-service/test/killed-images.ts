import { openImageStorage } from '@blog-content/image-storage';
import { createLogger } from '@blog-content/service-runtime';
import { startEncoder } from '../src/images/encoding/start-encoder.ts';
import { createImageStore } from '../src/images/library/image-store.ts';
import { saveImage } from '../src/images/library/save-image.ts';
import { deleteImages } from '../src/images/sweeping/sweep-images.ts';
import { createImageSweepStore } from '../src/images/sweeping/sweep-store.ts';
import { createVariantStore } from '../src/images/variants/variant-store.ts';
import { startVariantWorker } from '../src/images/variants/variant-worker.ts';
import { openDatabase } from '../src/platform/database/open-database.ts';

// What the tests of crashes run in a process: works on images, each up to one step, and is killed at the last of them.

/** What is done, and where it ends: before or after a call of what it stands on, or amid it. */
export interface KilledImage {
  readonly projectId: string;
  /** `begin before`, `put amid`, `finish after`. Only the last one can end amid a call. */
  readonly step: string;
  /** The image that is uploaded, in base64. */
  readonly bytes: string;
  readonly now: string;
}

export interface KilledWork {
  readonly work: 'upload' | 'variant' | 'delete';
  readonly databaseUrl: string;
  readonly folder: string;
  readonly images: readonly KilledImage[];
}

const { work, databaseUrl, folder, images } = JSON.parse(process.argv[2] ?? '{}') as KilledWork;

/** The same, but what comes to the step goes no further, and `reached` is called. */
function mortal<Part extends object>(part: Part, step: string, reached: () => void): Part {
  const [call, when] = step.split(' ');
  const never = () => {
    reached();
    return new Promise(() => undefined);
  };
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name !== call) return value;
      return (...given: unknown[]) => {
        if (when === 'before') return never();
        const answer = (value as (...all: unknown[]) => unknown).apply(target, given);
        if (when === 'amid') setTimeout(reached, 1);
        return Promise.resolve(answer).then(never);
      };
    },
  });
}

const database = openDatabase(databaseUrl, 2, () => undefined);
const storage = await openImageStorage({
  IMAGE_STORAGE: 'disk',
  IMAGE_DISK_PATH: folder,
} as Parameters<typeof openImageStorage>[0]);
const logger = createLogger('test', 'error');
const slots = { slots: 1, slotsEach: 1, waitingEach: 10, waiting: 10 };
const encoder = startEncoder({ ...slots, deadlineMs: 60_000, maxWaitMs: 60_000, priority: 'low', memoryMib: 640 });

async function workOn({ projectId, step, bytes, now }: KilledImage, reached: () => void): Promise<unknown> {
  const clock = () => new Date(now);
  const mortally = <Part extends object>(part: Part) => mortal(part, step, reached);
  const [imageStorage, imageEncoder] = [mortally(storage), mortally(encoder)];
  switch (work) {
    case 'upload': {
      const imageQuota = { images: 10, bytes: 1e9 };
      const imageStore = mortally(createImageStore(database, clock, imageQuota));
      return saveImage(
        { images: imageStore, imageStorage, imageEncoder, imageQuota, onImageStored: () => undefined },
        { projectId, createdBy: projectId, source: 'upload', bytes: Buffer.from(bytes, 'base64') },
      );
    }
    case 'variant': {
      const variants = mortally(createVariantStore(database, clock));
      startVariantWorker({ variants, imageStorage, imageEncoder, logger, dueWatch: { add: () => undefined } });
      return new Promise(() => undefined);
    }
    case 'delete':
      return deleteImages({ sweepStore: mortally(createImageSweepStore(database, clock)), imageStorage, logger });
  }
}

for (const image of images) {
  await new Promise<void>((resolve, reject) => {
    const past = () => reject(new Error(`It has gone past “${image.step}”.`));
    workOn(image, resolve).then(past, reject);
  });
}
process.kill(process.pid, 'SIGKILL');
