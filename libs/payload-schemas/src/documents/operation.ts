import type { z } from 'zod';
import type { AgentPermission } from '../owner-api/agent-keys.ts';
import type { ServiceName } from '../services.ts';

export type Credential = 'publicKey' | 'ownerSession' | 'sessionCookie' | 'agentKey' | 'none';

/** A body that is a ZIP archive. */
export const ZIP = 'application/zip';

/** Bodies that are XML: a feed and a sitemap. */
export const RSS = 'application/rss+xml';
export const XML = 'application/xml';
/** A body that is a text. */
export const TEXT = 'text/plain';

/** A body of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** A body that is an image: its bytes; in a request also a form with it, or JSON that says where it is. */
export const IMAGE = 'image/*';

/** A body that is no JSON, by its media type. */
export type OtherBody = typeof IMAGE | typeof ZIP | typeof RSS | typeof XML | typeof TEXT | typeof EVENT_STREAM;

export interface QueryParameter {
  readonly schema: z.ZodType;
  readonly description: string;
}

/** One operation as its area describes it. */
export interface OperationRow {
  /** Its name in clients that are made from the document: unique, and never changed. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  /** What there is to say beyond that; who may is added. */
  readonly description?: string;
  readonly credential: Credential;
  /** Who may besides having the credential: owners of the project only, or the administrator only. Else any member. */
  readonly only?: 'owners' | 'administrator';
  /** What an agent key must be allowed; see {@link permissionOf}. */
  readonly permission?: AgentPermission;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly request?: z.ZodType | typeof ZIP | typeof IMAGE;
  /** The body may be left out. */
  readonly requestOptional?: true;
  /** Takes `If-Match` with the ETag of the blog or project. */
  readonly ifMatch?: true;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Takes `If-None-Match`: 304 when the answer is what the caller has. */
  readonly ifNoneMatch?: true;
  /** Takes `If-Modified-Since`, and answers with `Last-Modified`. */
  readonly ifModifiedSince?: true;
  /** Answers a file of the storage: takes `Range`, and refuses as the public API does. */
  readonly file?: true;
  /** The answer says in `Location` where what was made can be read. */
  readonly location?: true;
  /** Success status → answer; null for an empty body. */
  readonly answers: Readonly<Record<number, z.ZodType | OtherBody | null>>;
  /** A text that it answers, where that is not as others are. */
  readonly example?: string;
  /** The media type of the JSON answer, where it has one of its own. */
  readonly jsonType?: 'application/feed+json' | 'application/ld+json';
  /** What can go wrong beyond what follows from the rest (see `errorsOf`). */
  readonly errors?: Readonly<Record<number, string>>;
}

/** One operation of the HTTP surface, as the documents tell it and as tests go through it. */
export interface Operation extends OperationRow {
  /** The area it belongs to. */
  readonly tag: string;
  /** Which process answers. */
  readonly service: ServiceName;
}

/** What a key needs for an agent's operation. A change that says nothing of it is for keys that may do everything. */
export const permissionOf = ({ permission, method }: OperationRow): AgentPermission =>
  permission ?? (method === 'get' ? 'draft' : 'full');

const OR_SUSPENDED = 'or an administrator suspended the project.';
const TROUBLE = 'Internal error. Retry after a few seconds.';
const NO_DATABASE = 'The database cannot store changes, or did not respond. Retry later.';
const NO_JSON = 'The body is not JSON in UTF-8, or it is compressed.';
const NO_IMAGE = 'The body is not a supported image (SVG is not supported), or it is compressed.';
const NO_ARCHIVE = 'The body is not a ZIP archive, or it is compressed.';

/** Every refusal that an operation can answer with: status → when. */
export function errorsOf(operation: OperationRow): Readonly<Record<number, string>> {
  const { credential, only, method, path, request, ifMatch, idempotent, file, errors } = operation;
  if (file) return { 416: 'The range starts beyond the end of the file.', 500: TROUBLE, ...errors };
  if (credential === 'publicKey') {
    return {
      401: 'The key is missing, unknown, rotated or revoked.',
      403: 'An administrator suspended the project.',
      429: 'The key exceeded its rate limit.',
      500: TROUBLE,
      ...errors,
    };
  }
  const takesBody = method !== 'get';
  return {
    400: 'The request is malformed.',
    ...(credential === 'ownerSession' && { 401: 'No valid session.' }),
    ...(credential === 'sessionCookie' && { 401: 'No cookie of an active session.' }),
    ...(credential === 'agentKey' && { 401: 'The key is missing, unknown, expired or revoked.' }),
    ...(credential === 'agentKey' &&
      takesBody && { 403: `The key lacks the permission named in \`detail\`, ${OR_SUSPENDED}` }),
    ...(takesBody && path.includes('/projects/{projectId}') && { 403: 'An administrator suspended the project.' }),
    ...(only === 'owners' && {
      403: takesBody ? `Requires: project owner, ${OR_SUSPENDED}` : 'Requires: project owner.',
    }),
    ...(only === 'administrator' && { 403: 'Requires: administrator.' }),
    ...(path.includes('{') && { 404: 'Not found, or not in one of your projects.' }),
    ...(idempotent && !path.includes('{') && { 404: 'The result of this `Idempotency-Key` has since been deleted.' }),
    ...(idempotent && { 409: 'A request with the same `Idempotency-Key` is in progress.' }),
    ...(ifMatch && { 412: 'The resource changed since you read it: `If-Match` does not match its ETag.' }),
    ...(takesBody && {
      413: 'The body is too large.',
      415: request === ZIP ? NO_ARCHIVE : request === IMAGE ? NO_IMAGE : NO_JSON,
    }),
    ...(takesBody && { 422: 'A field is invalid or unknown. See `errors`.' }),
    500: TROUBLE,
    503: NO_DATABASE,
    ...errors,
  };
}
