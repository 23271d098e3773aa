import { IMAGE, type OperationRow } from '../operation.ts';

/** The images themselves, by the URLs that content has (contract §2.4). */
export const imageFileOperations: OperationRow[] = [
  {
    id: 'getImageFile',
    method: 'get',
    path: '/images/{projectId}/{imageFile}',
    summary: 'Get an image file',
    description:
      'A file never changes under its name, so cache it forever. Until a width is ready, the original is returned ' +
      'with `Cache-Control: no-store`.',
    credential: 'none',
    file: true,
    ifNoneMatch: true,
    answers: { 200: IMAGE, 206: IMAGE },
    errors: { 404: 'Image not found.' },
  },
];
