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
import { may, requirePermission, SCHEDULED } from '../platform/http/permission.ts';
import { FetchRefused } from '../platform/outgoing/guarded-get.ts';
import type { Images } from './open-images.ts';
import type { Image } from './library/image-store.ts';
import { createUploadReader } from './library/read-upload.ts';
import type { GivenImage, SavedImage } from './library/save-image.ts';
import { showImage, showImageUse } from './library/show-image.ts';

export interface ImageRoutesDependencies {
  readonly images: Pick<Images, 'store' | 'quota' | 'save' | 'inMemory' | 'fetch' | 'deleteRemoved'>;
  /** What precedes `/` and an image's key in its public URL. */
  readonly imageBaseUrl: string;
}

/** `/images` of a project: its library. The upload reads its body itself. */
export function createImageRoutes({ images, imageBaseUrl }: ImageRoutesDependencies): Router {
  const { store } = images;
  const routes = Router({ mergeParams: true });
  const readUpload = createUploadReader(images.inMemory);
  const show = (image: Image) => showImage(image, imageBaseUrl);

  routes.post('/', async (req, res) => {
    const { projectId, id: createdBy } = callerOf(res);
    const { image, isNew } = await readUpload(req, res, async (upload) => {
      const { alt, name } = upload;
      const about = { projectId, createdBy, alt, name };
      return 'url' in upload
        ? saveFetched(images, upload.url, about)
        : images.save({ ...about, source: 'upload', bytes: upload.bytes });
    });
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

  routes.get('/usage', async (_req, res) => {
    const { projectId } = callerOf(res);
    const held = await store.held(projectId);
    res.json({
      images: { used: held.images, allowed: images.quota.images },
      bytes: { used: held.bytes, allowed: await store.allowedBytes(projectId) },
    });
  });

  routes.get('/:imageId', async (req, res) => {
    res.json(show(await imageOf(req, res)));
  });

  routes.patch('/:imageId', async (req, res) => {
    const imageId = readId(req.params.imageId, 'image');
    const { alt, name } = parseBody(imageUpdateRequest, req.body);
    const changes = { ...(alt !== undefined && { alt }), ...(name !== undefined && { name }) };
    const caller = callerOf(res);
    if (alt !== undefined && !may(caller, 'publish') && (await store.isScheduled(caller.projectId, imageId)))
      requirePermission(caller, 'publish', SCHEDULED);
    const edited = await store.edit(caller.projectId, imageId, changes);
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
    const removed = await store.remove(callerOf(res).projectId, imageId, { force: force === 'true' });
    if (removed === 'not_found') throw noImage();
    if (removed === 'in_use')
      throw conflict('A published post uses the image. Remove it there, or delete with force=true.');
    // It is hidden for good by now: what goes wrong here is made good by the next round.
    await images.deleteRemoved(imageId).catch(() => undefined);
    res.status(204).end();
  });
  return routes;

  async function imageOf(req: Request, res: Response): Promise<Image> {
    const found = await store.find(callerOf(res).projectId, readId(req.params['imageId'], 'image'));
    if (!found) throw noImage();
    return found;
  }
}

/** Saves the image at an address. @throws a 422 problem when it cannot be had, and what saving throws. */
export async function saveFetched(
  images: Pick<Images, 'fetch' | 'save'>,
  url: string,
  about: Omit<GivenImage, 'source' | 'bytes'>,
): Promise<SavedImage> {
  try {
    return await images.fetch(url, (bytes) => images.save({ ...about, source: 'url', bytes }));
  } catch (error) {
    if (error instanceof FetchRefused) throw unprocessable([{ field: 'url', message: error.message }]);
    throw error;
  }
}

const noImage = () => notFound('Image not found.');
