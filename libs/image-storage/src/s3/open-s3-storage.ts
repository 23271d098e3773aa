import type { Readable } from 'node:stream';
import type * as sdkModule from '@aws-sdk/client-s3';
import type { ImageStorageConfig } from '../environment.ts';
import { checkPrefix, imageEtagOf, imageTypeOf, nameOf, parseImageKey } from '../image-key.ts';
import { checkPut, checkRange, type ByteRange, type ImageStorage, type ListedImage } from '../image-storage.ts';

const S3_CONNECT_MS = 3_000;
/** Until the answer begins, of each try. */
const S3_ANSWER_MS = 10_000;
/** Without a byte on the connection. Longer than a reader of images may pause. */
const S3_IDLE_MS = 30_000;
const S3_MAX_TRIES = 3;
/** More than images are sent concurrently: each that is being read holds one. */
const S3_MAX_CONNECTIONS = 512;
/** What S3 deletes in one request. */
const S3_MAX_DELETED_AT_ONCE = 1_000;
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

type Sdk = typeof sdkModule;

/** Images as objects of a bucket, by their keys. The client is loaded with the first request: it is large. */
export function openS3Storage(config: ImageStorageConfig, answerMs = S3_ANSWER_MS): ImageStorage {
  const { S3_BUCKET: Bucket } = config;
  if (Bucket === undefined) throw new Error('S3_BUCKET is missing.');
  let opened: Promise<{ readonly sdk: Sdk; readonly client: sdkModule.S3Client }> | undefined;
  let isClosed = false;
  const open = () => {
    if (isClosed) throw new Error('The image storage is closed.');
    return (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: createClient(sdk, config, answerMs),
    })));
  };

  return {
    async put(key, bytes, contentType) {
      checkPut(key, bytes, contentType);
      const { sdk, client } = await open();
      await client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key: key,
          Body: bytes,
          ContentType: contentType,
          // For a CDN that reads the bucket itself.
          CacheControl: CACHE_CONTROL,
        }),
      );
    },

    async get(key, { range } = {}) {
      nameOf(key);
      if (range !== undefined) checkRange(range);
      const { sdk, client } = await open();
      const Range = range && rangeHeaderOf(range);
      const object = await client
        .send(new sdk.GetObjectCommand({ Bucket, Key: key, ...(Range !== undefined && { Range }) }))
        .catch((error: unknown) => {
          if (hasName(error, 'InvalidRange')) {
            throw new RangeError('The range starts beyond the end of the image.', { cause: error });
          }
          return nullIfMissing(error);
        });
      if (object === null) return null;
      const body = object.Body as Readable;
      const length = object.ContentLength ?? NaN;
      const [, start = '0', size = String(length)] = /^bytes (\d+)-\d+\/(\d+)$/.exec(object.ContentRange ?? '') ?? [];
      const first = Number(start);
      if (!Number.isSafeInteger(length) || first !== (range?.start ?? 0)) {
        body.destroy();
        throw new Error('The S3 server returned a different part of the image.');
      }
      const end = first + length - 1;
      return { contentType: imageTypeOf(key), etag: imageEtagOf(key), size: Number(size), start: first, end, body };
    },

    async head(key) {
      nameOf(key);
      const { sdk, client } = await open();
      const object = await client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })).catch(nullIfMissing);
      return object && { contentType: imageTypeOf(key), etag: imageEtagOf(key), size: object.ContentLength ?? 0 };
    },

    async delete(keys) {
      keys.forEach(nameOf);
      const { sdk, client } = await open();
      for (let index = 0; index < keys.length; index += S3_MAX_DELETED_AT_ONCE) {
        const Objects = keys.slice(index, index + S3_MAX_DELETED_AT_ONCE).map((Key) => ({ Key }));
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
        if (first !== undefined)
          throw new Error(`The S3 server did not delete an image: ${first.Code ?? 'no reason given'}.`);
      }
    },

    async *list(prefix): AsyncGenerator<ListedImage> {
      checkPrefix(prefix);
      const { sdk, client } = await open();
      for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key: key = '', Size: size = 0, LastModified: storedAt } of Contents) {
          if (storedAt !== undefined && parseImageKey(key) !== null) yield { key, size, storedAt };
        }
      }
    },

    close() {
      isClosed = true;
      void opened?.then(({ client }) => {
        client.destroy();
      });
    },
  };
}

function createClient({ S3Client }: Sdk, config: ImageStorageConfig, answerMs: number): sdkModule.S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_ENDPOINT: endpoint } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new Error('The S3 credentials are missing.');
  return new S3Client({
    region: config.S3_REGION,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: S3_MAX_TRIES,
    // Of what is read, TLS and the name's hash suffice: a checksum of each image costs the reading service its time.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: S3_CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: S3_IDLE_MS,
      httpAgent: { maxSockets: S3_MAX_CONNECTIONS, keepAlive: true },
      httpsAgent: { maxSockets: S3_MAX_CONNECTIONS, keepAlive: true },
    },
  });
}

function rangeHeaderOf({ start, end }: ByteRange): string {
  return `bytes=${String(start)}-${end === undefined ? '' : String(end)}`;
}

/** A bucket that does not exist is trouble; an object that does not is an answer. */
function nullIfMissing(error: unknown): null {
  if (hasName(error, 'NoSuchKey') || hasName(error, 'NotFound')) return null;
  throw error;
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
