import { uploadImage } from '../../generated/sdk.gen.ts';
import type { Image } from '../../generated/types.gen.ts';

/** What the API takes as images. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/avif,image/gif';

/** Most bytes of an image, as the API takes them. */
export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;

/** Sends a file into the library; an image that is there already is given again. Throws `ApiError`. */
export async function sendImage(
  projectId: string,
  file: File,
  alt?: string,
): Promise<{ readonly image: Image; readonly isNew: boolean }> {
  const { data, response } = await uploadImage({
    path: { projectId },
    query: { name: file.name.slice(0, 300), ...(alt !== undefined && { alt }) },
    // The generated client knows the JSON form of this call only.
    body: file as never,
    bodySerializer: null,
    headers: { 'Content-Type': file.type === '' ? 'application/octet-stream' : file.type },
    throwOnError: true,
  });
  return { image: data, isNew: response.status === 201 };
}
