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
      summary: 'Upload an image, or have one fetched',
      description:
        'PNG, JPEG, WebP, AVIF or GIF. It is made anew: upright, and without its metadata. The same bytes give the same image again, with 200; ' +
        'its alt text and name stay. Beside the forms below, a body may be JSON with the address of an image, which is fetched.',
      query: parametersOf(owner.imageUploadQuery),
      request: IMAGE,
      answers: { 201: owner.image, 200: owner.image },
      location: true,
      errors: {
        409: 'The project has no room for it, or it is just being deleted.',
        422: 'The image is damaged or too large, or could not be fetched: `errors` says why.',
      },
    },
    {
      id: 'listImages',
      method: 'get',
      path: images,
      summary: 'List images, newest first',
      query: { ...parametersOf(owner.imageListQuery), ...paging },
      answers: { 200: pageOf(owner.image) },
    },
    {
      id: 'getImageUsage',
      method: 'get',
      path: `${images}/usage`,
      summary: 'Get how many images there are, how many bytes their originals have, and the most of both',
      answers: { 200: owner.imageUsage },
    },
    {
      id: 'getImage',
      method: 'get',
      path: image,
      summary: 'Get an image, with how many of its variants are made',
      answers: { 200: owner.image },
    },
    {
      id: 'updateImage',
      permission: 'draft',
      method: 'patch',
      path: image,
      summary: 'Change its alt text or name; posts get the alt text when they are published next',
      request: owner.imageUpdateRequest,
      answers: { 200: owner.image },
    },
    {
      id: 'deleteImage',
      permission: 'full',
      method: 'delete',
      path: image,
      summary: 'Delete an image and its variants; copies in caches stay for as long as they may',
      query: parametersOf(owner.imageDeleteQuery),
      answers: { 204: null },
      errors: { 409: 'A published post shows it: `force=true` deletes it all the same.' },
    },
    {
      id: 'listImageUses',
      method: 'get',
      path: `${image}/uses`,
      summary: 'List the posts that have an image, newest first',
      query: paging,
      answers: { 200: pageOf(owner.imageUse) },
    },
    {
      id: 'hostBlogImages',
      permission: 'draft',
      method: 'post',
      path: `${base}/blogs/{blogId}/host-images`,
      summary: 'Host the images of a working copy here: fetch those of other hosts, and write their new addresses',
      ifMatch: true,
      answers: { 200: owner.hostedImages },
      errors: { 409: 'The post was changed meanwhile, again and again.' },
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
