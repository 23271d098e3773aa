import { ConfigError, describeConfig, loadConfig } from '@blog-content/service-runtime';
import { z } from 'zod';
import { imageStorageEnvironment, needsOfImageStorage } from './index.ts';

const environment = z.object(imageStorageEnvironment).superRefine(needsOfImageStorage);
const s3 = { IMAGE_STORAGE: 's3', S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'me', S3_SECRET_ACCESS_KEY: 'hunter2' };

describe('the environment of an image storage', () => {
  it('is a folder unless it says otherwise', () => {
    expect(loadConfig(environment, { IMAGE_DISK_PATH: '/images' }, 'x')).toMatchObject({
      IMAGE_STORAGE: 'disk',
      IMAGE_DISK_PATH: '/images',
    });
    expect(loadConfig(environment, s3, 'x')).toMatchObject({ S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false });
  });

  it.each([
    [{}, ['IMAGE_DISK_PATH']],
    [{ IMAGE_STORAGE: 's3' }, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
    [{ ...s3, S3_ENDPOINT: 'ftp://somewhere' }, ['S3_ENDPOINT']],
  ])('names what the chosen storage lacks', (env, variables) => {
    try {
      loadConfig(environment, env, 'x');
    } catch (error) {
      expect((error as ConfigError).problems.map(({ variable }) => variable)).toEqual(variables);
    }
    expect(() => loadConfig(environment, env, 'x')).toThrow(ConfigError);
  });

  it('shows no secret', () => {
    const shown = describeConfig(environment, loadConfig(environment, s3, 'x'));
    expect(shown).toMatchObject({ S3_ACCESS_KEY_ID: 'set', S3_SECRET_ACCESS_KEY: 'set', S3_BUCKET: 'images' });
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });
});
