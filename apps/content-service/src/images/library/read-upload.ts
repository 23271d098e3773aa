import { imageFetchRequest, imageUploadQuery } from '@blog-content/payload-schemas';
import {
  badRequest,
  jsonBody,
  type OperationalError,
  parseBody,
  parseQuery,
  payloadTooLarge,
  storableText,
  unprocessable,
  unsupportedMediaType,
} from '@blog-content/service-runtime';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { finished } from 'node:stream';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';
import type { WithImageInMemory } from '../images-in-memory.ts';

/** What an upload's request gives: bytes, or an address to fetch them from. */
export type Upload = ({ readonly bytes: Buffer } | { readonly url: string }) & {
  readonly alt?: string | undefined;
  readonly name?: string | undefined;
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
const RAW_TYPES = ['image/*', 'application/octet-stream'];
const MAX_JSON_BYTES = 64 * 1024;
/** Beside the file: boundaries and two short texts. */
const MAX_FORM_FIELDS = 4;
const MAX_FORM_FIELD_BYTES = 16 * 1024;

/** Most time for a body to arrive. */
const RECEIVE_MS = 60_000;

/**
 * Reads the body of an upload, in one of its forms, and gives it to `use`. The bytes count as being in memory until
 * that is done; one that gives an address has none.
 */
export type UploadReader = <T>(request: Request, response: Response, use: (upload: Upload) => Promise<T>) => Promise<T>;

export function createUploadReader(inMemory: WithImageInMemory): UploadReader {
  const readJson = jsonBody(MAX_JSON_BYTES);
  const readRaw = express.raw({ type: () => true, limit: MAX_IMAGE_BYTES, inflate: false });

  return async (request, response, use) => {
    const kind = bodyKindOf(request);
    const query = parseQuery(imageUploadQuery, request.query);
    const readAndUse = async () => use({ ...query, ...(await inTime(request, read(request, response, kind))) });
    return kind === 'json' ? readAndUse() : inMemory(readAndUse);
  };

  async function inTime(request: Request, reading: Promise<Upload>): Promise<Upload> {
    const deadline = setTimeout(() => request.destroy(), RECEIVE_MS);
    try {
      return await Promise.race([reading, untilCutOff(request)]);
    } finally {
      clearTimeout(deadline);
    }
  }

  async function read(request: Request, response: Response, kind: BodyKind): Promise<Upload> {
    if (kind === 'form') return readForm(request);
    await run(kind === 'json' ? readJson : readRaw, request, response);
    const body: unknown = request.body;
    if (kind === 'json') return parseBody(imageFetchRequest, body);
    return { bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
  }
}

type BodyKind = 'json' | 'form' | 'raw';

/** @throws a 415 problem for a body of none of these types. */
function bodyKindOf(request: Request): BodyKind {
  if (request.is(FORM_TYPE) !== false) return 'form';
  if (request.is(JSON_TYPE) !== false) return 'json';
  if (typeof request.is(RAW_TYPES) !== 'string') throw notOfAType();
  return 'raw';
}

/**
 * Fails when the client leaves before its body has ended, and immediately if it has left already. Who reads a body
 * hears nothing of what has happened before, and would wait for ever.
 */
function untilCutOff(request: Request): Promise<never> {
  return new Promise((_, reject) => {
    finished(request, (error) => {
      if (error) reject(badRequest('The body is incomplete.'));
    });
  });
}

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    // `next` is called with the error.
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('The body is unreadable.', { cause: error }));
    });
  });
}

/** The file and the texts of a form, in any order. */
async function readForm(request: Request): Promise<Upload> {
  const { Busboy } = await import('@fastify/busboy');
  const texts: Record<string, string> = {};
  let bytes: Buffer | undefined;
  const read = new Promise<void>((resolve, reject) => {
    const form = openForm();
    const stop = (error: Error) => {
      request.unpipe(form);
      request.resume();
      reject(error);
    };
    form.on('file', (field, file) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      file.once('limit', () => stop(payloadTooLarge(`The image exceeds ${MAX_IMAGE_BYTES} bytes.`)));
      file.once('end', () => {
        if (field === 'file') bytes = Buffer.concat(chunks);
      });
      file.once('error', stop);
    });
    form.on('field', (field, value, _isNameCut, isCut) => {
      if (isCut) stop(unprocessable([{ field: field.slice(0, 50), message: 'is too long' }]));
      else texts[field] = storableText(value);
    });
    form.once('finish', resolve);
    form.once('error', () => stop(badRequest('The form is incomplete, or it is not multipart/form-data.')));
    request.pipe(form);
  });
  await read;
  const { alt, name } = parseBody(imageUploadQuery, texts);
  if (bytes === undefined)
    throw unprocessable([{ field: 'file', message: 'is missing: send the image in this field' }]);
  return { bytes, ...(alt !== undefined && { alt }), ...(name !== undefined && { name }) };

  function openForm() {
    try {
      return new Busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        limits: {
          files: 1,
          fileSize: MAX_IMAGE_BYTES,
          fields: MAX_FORM_FIELDS,
          fieldSize: MAX_FORM_FIELD_BYTES,
          parts: MAX_FORM_FIELDS + 1,
        },
      });
    } catch {
      throw badRequest('The form’s Content-Type has no boundary.');
    }
  }
}

const notOfAType = (): OperationalError =>
  unsupportedMediaType(
    'Send the image as Content-Type: image/* or application/octet-stream, as multipart/form-data, or JSON with the image’s URL.',
  );
