import { validateHeaderValue } from 'node:http';
import type { deployHookRequest } from '@blog-content/payload-schemas';
import type { FieldError } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import type { z } from 'zod';
import { checkHeaders, type CustomHeaders, sentHeaders } from '../../integrations/custom-headers.ts';
import { isMaskedUrl } from './show-hook.ts';

/**
 * What is wrong with a deploy hook at save: the address rules of webhooks, the header rules of webhooks but for
 * `Content-Type`, which is the owner's here (contract §6.8). Empty when it is fine. Asks the DNS.
 */
export async function checkHook(
  request: z.infer<typeof deployHookRequest>,
  urlGuard: Pick<UrlGuard, 'check'>,
): Promise<FieldError[]> {
  const errors: FieldError[] = [...checkHookHeaders(request.headers)];
  if (request.body !== null && request.method === 'GET') {
    errors.push({ field: 'body', message: 'must be omitted: a GET request has no body' });
  }
  if (request.body?.isWellFormed() === false) {
    errors.push({ field: 'body', message: 'must not contain invalid characters' });
  }
  if (request.url !== undefined) {
    const message = await problemWithUrl(request.url, urlGuard);
    if (message !== null) errors.push({ field: 'url', message });
  }
  return errors;
}

async function problemWithUrl(url: string, urlGuard: Pick<UrlGuard, 'check'>): Promise<string | null> {
  if (isMaskedUrl(url)) return 'is masked: send the full URL, or omit it to keep the saved one';
  const verdict = await urlGuard.check(url);
  return verdict.ok ? null : verdict.detail;
}

/** The rules of webhooks, also for the headers that a webhook ignores because it sets them itself. */
function checkHookHeaders(headers: CustomHeaders): FieldError[] {
  const common = sentHeaders(headers);
  const seen = new Set<string>();
  const others = Object.entries(headers).flatMap(([name, value]) => {
    if (Object.hasOwn(common, name)) return [];
    const lower = name.toLowerCase();
    const message = seen.has(lower) ? 'is a duplicate' : problemWithValue(name, value);
    seen.add(lower);
    return message === null ? [] : [{ field: `headers.${name}`, message }];
  });
  return [...checkHeaders(common), ...others];
}

function problemWithValue(name: string, value: string): string | null {
  try {
    validateHeaderValue(name, value);
    return null;
  } catch {
    return 'has a value that is invalid in a header';
  }
}
