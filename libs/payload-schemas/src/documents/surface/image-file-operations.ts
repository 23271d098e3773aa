import { IMAGE, type OperationRow } from '../operation.ts';

/** The images themselves, by the URLs that content has (contract §2.4). */
export const imageFileOperations: OperationRow[] = [
  {
    id: 'getImageFile',
    method: 'get',
    path: '/images/{projectId}/{imageFile}',
    summary: 'One image, or a part of it',
    description:
      'What is under a name never changes: keep it for ever. While a width is not made yet, the original is answered in ' +
      'its place, with `Cache-Control: no-store`.',
    credential: 'none',
    file: true,
    ifNoneMatch: true,
    answers: { 200: IMAGE, 206: IMAGE },
    errors: { 404: 'There is no such image.' },
  },
];
