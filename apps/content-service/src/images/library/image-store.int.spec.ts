import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@blog-content/testing';
import { openDatabase } from '../../platform/database/open-database.ts';
import { createImageStore } from './image-store.ts';

describe('the quota of a project', () => {
  it('holds among uploads that begin at once', async () => {
    const testDatabase = await createTestDatabase('content-service');
    const database = openDatabase(testDatabase.url, 10, () => undefined);
    try {
      const projectId = randomUUID();
      await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
      const images = createImageStore(database, () => new Date(), { images: 3, bytes: 1e9 });
      // Ten connections that are open already, so that they meet.
      await Promise.all(Array.from({ length: 10 }, () => database.$queryRaw`SELECT pg_sleep(0.05)::text`));
      const begun = await Promise.all(
        Array.from({ length: 10 }, () => {
          const sha256 = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
          return images.begin({
            projectId,
            sha256,
            givenSha256: sha256,
            ext: 'png',
            width: 1,
            height: 1,
            isAnimated: false,
            bytes: 1,
            alt: '',
            name: '',
            source: 'upload',
            jobId: null,
            createdBy: projectId,
          });
        }),
      );
      expect(begun.filter((one) => 'image' in one)).toHaveLength(3);
      expect(begun.filter((one) => 'refused' in one && one.refused === 'too_many')).toHaveLength(7);
    } finally {
      await database.$disconnect();
      await testDatabase.drop();
    }
  });
});
