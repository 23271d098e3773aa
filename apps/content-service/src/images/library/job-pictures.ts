import { imageUrl } from '../image-urls.ts';
import type { ImageStore } from './image-store.ts';
import type { GivenImage, SavedImage } from './save-image.ts';

interface JobPictures {
  findPicture(job: { readonly id: string; readonly projectId: string }): Promise<string | null>;
  storePicture(picture: Omit<GivenImage, 'source' | 'name' | 'jobId'> & { readonly jobId: string }): Promise<string>;
}

/**
 * The pictures of jobs, by their addresses. An image's own row says which job drew it: so it is found again by the
 * process that takes up the job of a process that died.
 *
 * @param baseUrl where images are read.
 */
export function jobPictures(
  images: { readonly store: Pick<ImageStore, 'findOfJob'>; save(given: GivenImage): Promise<SavedImage> },
  baseUrl: string,
): JobPictures {
  return {
    async findPicture({ id, projectId }) {
      const found = await images.store.findOfJob(projectId, id);
      return found && imageUrl(baseUrl, found);
    },
    async storePicture(picture) {
      const { image } = await images.save({ ...picture, source: 'generated', name: picture.alt });
      return imageUrl(baseUrl, image);
    },
  };
}
