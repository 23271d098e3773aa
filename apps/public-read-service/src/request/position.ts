import { z } from 'zod';
import { RENDERING } from '../http/representation.ts';

/** Up to where somebody knows what is published. Its JSON is canonical. */
export type Position = {
  readonly projectId: string;
  /** A number of {@link RENDERING}. */
  readonly rendering: number;
  /** The project's version: a decimal integer. */
  readonly version: string;
} & (
  | {
      /** The reader knows all posts as they were at the version, newest first, up to this one. */
      readonly upTo: { readonly publishedAt: string; readonly id: string };
    }
  | {
      /** The reader knows the changes in their order, up to this one. */
      readonly change: ChangeKey;
    }
  /** The reader knows all of the version. */
  | object
);

/** The place of a change among those of its version. */
export interface ChangeKey {
  readonly kind: number;
  readonly slug: string;
  readonly blogId: string;
}

const version = z.string().regex(/^\d{1,18}$/);
/** PostgreSQL knows no year 0. */
const time = z.iso.datetime({ precision: 3 }).refine((text) => text >= '0001');
/** Or what the log has in its place where a target of links has changed, for posts in one language alone or for all. */
const slug = z.string().regex(/^@?[a-z0-9-]{1,200}(?: [A-Za-z0-9-]{2,35})?$/);
const begin = [z.int(), z.guid(), version] as const;
const written = z.union([
  z.tuple([...begin]),
  z.tuple([...begin, time, z.guid()]),
  z.tuple([...begin, z.int().min(0).max(2), slug, z.guid()]),
]);

/** Longest text that is looked at. */
const MAX_LENGTH = 600;

/** Makes one word of a position. It says nothing to its readers. */
export function formatPosition(position: Position): string {
  const { rendering, projectId, version } = position;
  const end: (string | number)[] = [];
  if ('upTo' in position) end.push(position.upTo.publishedAt, position.upTo.id);
  if ('change' in position) end.push(position.change.kind, position.change.slug, position.change.blogId);
  return Buffer.from(JSON.stringify([rendering, projectId, version, ...end])).toString('base64url');
}

/** Null for what {@link formatPosition} has not made. */
export function parsePosition(text: string): Position | null {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return null;
  const read = written.safeParse(parseJson(Buffer.from(text, 'base64url').toString())).data;
  if (read === undefined) return null;
  const [rendering, projectId, version] = read;
  const whole = { rendering, projectId, version };
  if (read.length === 5) return { ...whole, upTo: { publishedAt: read[3], id: read[4] } };
  if (read.length === 6) return { ...whole, change: { kind: read[3], slug: read[4], blogId: read[5] } };
  return whole;
}

/** A position of this rendering of the project. */
export function positionOf(projectId: string, version: string): Position {
  return { projectId, rendering: RENDERING, version };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
