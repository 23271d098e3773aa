import { ApiError } from './api-error.ts';

/**
 * What a call answers; null where there is none. A 404 as an error would be forgotten whenever it is asked for again,
 * and a form on it with it.
 */
export async function orNull<Data>(call: Promise<{ readonly data: Data }>): Promise<Data | null> {
  try {
    return (await call).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
