import { z } from 'zod';
import { notFound } from '../operational-error.ts';

const uuid = z.uuid();

/** An id from the path, in lower case. @throws a 404 problem: what is no UUID names nothing. */
export function readId(value: unknown, of: string): string {
  const id = uuid.safeParse(value);
  if (!id.success) throw notFound(`${of.charAt(0).toUpperCase()}${of.slice(1)} not found.`);
  return id.data.toLowerCase();
}
