import { imageDeleteQuery, imageListQuery, imageUpdateRequest } from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  parseBody,
  parseQuery,
  readId,
  readPage,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import { callerOf } from '../platform/http/caller.ts';
import { FetchRefused } from './fetching/fetch-image.ts';
import type { Images } from './open-images.ts';
import type { Image } from './library/image-store.ts';
import { createUploadReader, type Upload } from './library/read-upload.ts';
import { showImage, showImageUse } from './library/show-image.ts';

export interface ImageRoutesDependencies {
  readonly images: Pick<Images, 'store' | 'save' | 'fetch' | 'deleteRemoved'>;
  /** What stands before `/` and an image's key in its public URL. */
  readonly imageBaseUrl: string;
}

/** `/images` of a project: its library. The upload reads its body itself. */
export function createImageRoutes({ images, imageBaseUrl }: ImageRoutesDependencies): Router {
  const { store } = images;
  const routes = Router({ mergeParams: true });
  const readUpload = createUploadReader();
  const show = (image: Image) => showImage(image, imageBaseUrl);

  routes.post('/', async (req, res) => {
    const { projectId, id: createdBy } = callerOf(res);
    const upload = await readUpload(req, res, projectId);
    const bytes = await bytesOf(images, upload);
    const source = 'url' in upload ? 'url' : 'upload';
    const { alt, name } = upload;
    const { image, isNew } = await images.save({ projectId, createdBy, source, bytes, alt, name });
    res.locals.log['image_id'] = image.id;
    res
      .status(isNew ? 201 : 200)
      .set('Location', `${req.baseUrl}/${image.id}`)
      .json(show(image));
  });

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    const filter = parseQuery(imageListQuery, req.query);
    res.json(toPage(await store.list(callerOf(res).projectId, page, filter), page.limit, show));
  });

  routes.get('/:imageId', async (req, res) => {
    res.json(show(await imageOf(req, res)));
  });

  routes.patch('/:imageId', async (req, res) => {
    const imageId = readId(req.params.imageId, 'image');
    const { alt, name } = parseBody(imageUpdateRequest, req.body);
    const changes = { ...(alt !== undefined && { alt }), ...(name !== undefined && { name }) };
    const edited = await store.edit(callerOf(res).projectId, imageId, changes);
    if (!edited) throw noImage();
    res.json(show(edited));
  });

  routes.get('/:imageId/uses', async (req, res) => {
    const page = readPage(req.query);
    const { projectId, sha256 } = await imageOf(req, res);
    res.json(toPage(await store.listUses(projectId, sha256, page), page.limit, showImageUse));
  });

  routes.delete('/:imageId', async (req, res) => {
    const imageId = readId(req.params.imageId, 'image');
    const { force } = parseQuery(imageDeleteQuery, req.query);
    const removed = await store.remove(callerOf(res).projectId, imageId, force === 'true');
    if (removed === 'not_found') throw noImage();
    if (removed === 'in_use')
      throw conflict('A published post shows the image: take it out there, or ask with force=true.');
    // It is hidden for good by now: what goes wrong here is made good by the next round.
    await images.deleteRemoved().catch(() => undefined);
    res.status(204).end();
  });
  return routes;

  async function imageOf(req: Request, res: Response): Promise<Image> {
    const found = await store.find(callerOf(res).projectId, readId(req.params['imageId'], 'image'));
    if (!found) throw noImage();
    return found;
  }
}

/** The bytes of an upload, fetched when it gives an address. @throws a 422 problem when they cannot be had. */
export async function bytesOf(images: Pick<Images, 'fetch'>, upload: Upload): Promise<Buffer> {
  if ('bytes' in upload) return upload.bytes;
  try {
    return await images.fetch(upload.url);
  } catch (error) {
    if (error instanceof FetchRefused) throw unprocessable([{ field: 'url', message: error.message }]);
    throw error;
  }
}

const noImage = () => notFound('No such image.');
