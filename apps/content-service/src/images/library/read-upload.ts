import { imageFetchRequest, imageUploadQuery } from '@blog-content/payload-schemas';
import type { OperationalError } from '@blog-content/service-runtime';
import {
  badRequest,
  jsonBody,
  parseBody,
  parseQuery,
  payloadTooLarge,
  storableText,
  tooManyRequests,
  createFairQueue,
  TooBusy,
  unprocessable,
  unsupportedMediaType,
} from '@blog-content/service-runtime';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';

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

/** Bodies that one process receives at once, each of which is in memory; projects take turns. */
const RECEIVING = { slots: 12, slotsEach: 2, waitingEach: 50, waiting: 200 };
const RECEIVE_WAIT_MS = 20_000;
/** Most time for a body to arrive. */
const RECEIVE_MS = 60_000;
const RETRY_AFTER_S = 5;

/** Reads the body of an upload, in one of its forms. */
export function createUploadReader(): (request: Request, response: Response, projectId: string) => Promise<Upload> {
  const queue = createFairQueue(RECEIVING);
  const readJson = jsonBody(MAX_JSON_BYTES);
  const readRaw = express.raw({ type: () => true, limit: MAX_IMAGE_BYTES, inflate: false });

  return async (request, response, projectId) => {
    const isJson = request.is(JSON_TYPE) !== false;
    const isForm = request.is(FORM_TYPE) !== false;
    if (!isJson && !isForm && typeof request.is(RAW_TYPES) !== 'string') throw notOfAType();
    const query = parseQuery(imageUploadQuery, request.query);
    const release = await queue.enter(projectId, AbortSignal.timeout(RECEIVE_WAIT_MS)).catch((error: unknown) => {
      if (error instanceof TooBusy) throw tooManyRequests('Other images are being received.', RETRY_AFTER_S);
      throw error;
    });
    const deadline = setTimeout(() => request.destroy(), RECEIVE_MS);
    try {
      if (isForm) return { ...query, ...(await readForm(request)) };
      await run(isJson ? readJson : readRaw, request, response);
      const body: unknown = request.body;
      if (isJson) return { ...query, ...parseBody(imageFetchRequest, body) };
      return { ...query, bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
    } finally {
      clearTimeout(deadline);
      release();
    }
  };
}

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    // `next` is called with whatever went wrong.
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error('The body cannot be read.', { cause: error }));
    });
  });
}

/** The file and the texts of a form, whatever order they come in. */
async function readForm(request: Request): Promise<Upload> {
  const { Busboy } = await import('@fastify/busboy');
  const texts: Record<string, string> = {};
  let bytes: Buffer | undefined;
  await new Promise<void>((resolve, reject) => {
    const form = openForm();
    const stop = (error: Error) => {
      request.unpipe(form);
      request.resume();
      reject(error);
    };
    form.on('file', (field, file) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      file.once('limit', () => stop(payloadTooLarge(`The image is larger than ${MAX_IMAGE_BYTES} bytes.`)));
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
    form.once('error', () => stop(badRequest('The form cannot be read: it is cut off, or no multipart/form-data.')));
    request.once('aborted', () => stop(badRequest('The form was cut off.')));
    request.pipe(form);
  });
  const { alt, name } = parseBody(imageUploadQuery, texts);
  if (bytes === undefined) throw unprocessable([{ field: 'file', message: 'is missing: send the image in it' }]);
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
      throw badRequest('The form cannot be read: its Content-Type names no boundary.');
    }
  }
}

const notOfAType = (): OperationalError =>
  unsupportedMediaType(
    'Send the bytes of an image as Content-Type: image/* or application/octet-stream, a form as multipart/form-data, or JSON with the address of an image.',
  );
