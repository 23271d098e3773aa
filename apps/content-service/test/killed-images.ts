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

// What the tests of crashes run in a process: works on images, and is killed at one step.

/** What is done, and where its process is killed: before or after a call of what it stands on, or amid it. */
export interface KilledWork {
  readonly work: 'upload' | 'variant' | 'delete';
  readonly databaseUrl: string;
  readonly folder: string;
  readonly projectId: string;
  /** `begin before`, `put amid`, `finish after`. */
  readonly kill: string;
  /** The image that is uploaded, in base64. */
  readonly bytes: string;
  readonly now: string;
}

const { work, databaseUrl, folder, projectId, kill, bytes, now } = JSON.parse(process.argv[2] ?? '{}') as KilledWork;
const [killedCall, when] = kill.split(' ');
const die = () => process.kill(process.pid, 'SIGKILL');

/** The same, killed at its step. */
function mortal<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name !== killedCall) return value;
      return (...given: unknown[]) => {
        if (when === 'before') die();
        const answer = (value as (...all: unknown[]) => unknown).apply(target, given);
        if (when === 'amid') setTimeout(die, 1);
        return Promise.resolve(answer).then((result) => {
          die();
          return result;
        });
      };
    },
  });
}

const clock = () => new Date(now);
const database = openDatabase(databaseUrl, 2, () => undefined);
const storage = await openImageStorage({
  IMAGE_STORAGE: 'disk',
  IMAGE_DISK_PATH: folder,
} as Parameters<typeof openImageStorage>[0]);
const imageStorage = mortal(storage);
const logger = createLogger('test', 'error');
const slots = { slots: 1, slotsEach: 1, waitingEach: 10, waiting: 10 };
const encoder = startEncoder({ ...slots, deadlineMs: 60_000, waitMs: 60_000, priority: 'low', memoryMib: 640 });
const imageEncoder = mortal(encoder);

switch (work) {
  case 'upload': {
    const imageQuota = { images: 10, bytes: 1e9 };
    const images = mortal(createImageStore(database, clock, imageQuota));
    await saveImage(
      { images, imageStorage, imageEncoder, imageQuota, onImageStored: () => undefined },
      { projectId, createdBy: projectId, source: 'upload', bytes: Buffer.from(bytes, 'base64') },
    );
    break;
  }
  case 'variant':
    startVariantWorker({
      ...{ variants: mortal(createVariantStore(database, clock)), imageStorage, imageEncoder, logger },
      pollMs: 60_000,
    });
    break;
  case 'delete':
    await deleteImages({ sweepStore: mortal(createImageSweepStore(database, clock)), imageStorage, logger });
}
