import * as owner from '../../owner-api.ts';
import { IMAGE, type OperationRow } from '../operation.ts';
import { AGENT, pageOf, paging, parametersOf, PROJECT } from './parameters.ts';

/** The library: the same for members of a project and for its agents. */
function libraryOperations(base: string, credential: 'ownerSession' | 'agentKey'): OperationRow[] {
  const images = `${base}/images`;
  const image = `${images}/{imageId}`;
  const operations: Omit<OperationRow, 'credential'>[] = [
    {
      id: 'uploadImage',
      permission: 'draft',
      method: 'post',
      path: images,
      summary: 'Upload or fetch an image',
      description:
        'Accepts PNG, JPEG, WebP, AVIF and GIF. Images are rotated upright and stripped of metadata. Uploading the same bytes again returns the existing image with `200`; ' +
        'its alt text and name are unchanged. To fetch an image instead, send its URL as JSON.',
      query: parametersOf(owner.imageUploadQuery),
      request: IMAGE,
      answers: { 201: owner.image, 200: owner.image },
      location: true,
      errors: {
        409: 'The image library is full, or the image is being deleted.',
        422: 'The image is damaged, too large, or could not be fetched. See `errors`.',
      },
    },
    {
      id: 'listImages',
      method: 'get',
      path: images,
      summary: 'List images',
      description: 'Newest first.',
      query: { ...parametersOf(owner.imageListQuery), ...paging },
      answers: { 200: pageOf(owner.image) },
    },
    {
      id: 'getImageUsage',
      method: 'get',
      path: `${images}/usage`,
      summary: 'Get image library usage',
      description: 'Returns the number of images, the size of their originals, and the limits of both.',
      answers: { 200: owner.imageUsage },
    },
    {
      id: 'getImage',
      method: 'get',
      path: image,
      summary: 'Get an image',
      description: 'Includes how many variants are ready.',
      answers: { 200: owner.image },
    },
    {
      id: 'updateImage',
      permission: 'draft',
      method: 'patch',
      path: image,
      summary: 'Update an image’s alt text or name',
      description: 'Posts use a new alt text from their next publish.',
      request: owner.imageUpdateRequest,
      answers: { 200: owner.image },
    },
    {
      id: 'deleteImage',
      permission: 'full',
      method: 'delete',
      path: image,
      summary: 'Delete an image',
      description: 'Also deletes its variants. Cached copies remain until they expire.',
      query: parametersOf(owner.imageDeleteQuery),
      answers: { 204: null },
      errors: { 409: 'A published post uses the image. Set `force=true` to delete it anyway.' },
    },
    {
      id: 'listImageUses',
      method: 'get',
      path: `${image}/uses`,
      summary: 'List posts that use an image',
      description: 'Newest first.',
      query: paging,
      answers: { 200: pageOf(owner.imageUse) },
    },
    {
      id: 'hostBlogImages',
      permission: 'draft',
      method: 'post',
      path: `${base}/blogs/{blogId}/host-images`,
      summary: 'Host a post’s external images',
      description: 'Fetches the images that the working copy loads from other hosts, and updates their URLs.',
      ifMatch: true,
      answers: { 200: owner.hostedImages },
      errors: { 409: 'The post kept changing during the request.' },
    },
  ];
  return operations.map((operation) => ({
    ...operation,
    id:
      credential === 'agentKey' ? `agent${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}` : operation.id,
    credential,
  }));
}

export const imageOperations = libraryOperations(PROJECT, 'ownerSession');
export const agentImageOperations = libraryOperations(AGENT, 'agentKey');
