import { webhookForm } from '../../strings/sites/webhook-form.ts';

const text = webhookForm.checks;

/** Fewest characters of a signing secret (contract §5.2.1). */
const MIN_SECRET = 16;
/** More headers than this are advised against, and not refused (contract §5.2.6). */
const ADVISED_HEADERS = 20;

/**
 * What is wrong with an address, while it is typed; null when nothing is seen. Which schemes and networks are allowed
 * is for the service to say, on saving: each deployment sets its own.
 */
export function checkUrl(typed: string): string | null {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  const url = URL.parse(trimmed);
  if (url === null || !/^https?:$/.test(url.protocol)) return text.noUrl;
  if (url.username !== '' || url.password !== '') return text.credentials;
  return null;
}

/** What is wrong with a secret; an empty one is none. */
export function checkSecret(secret: string): string | null {
  const missing = MIN_SECRET - secret.length;
  return secret !== '' && missing > 0 ? text.shortSecret(missing) : null;
}

const REFUSED = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;
const IGNORED = /^(content-type|x-webhook-signature|x-legacy-signature)$/i;

export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

/**
 * What is wrong with each row, in their order; rows without a name are left out on saving. Webhooks ignore a few names,
 * deploy hooks do not.
 */
export function checkHeaders(
  rows: readonly HeaderRow[],
  of: 'webhook' | 'hook' = 'webhook',
): readonly (string | null)[] {
  return rows.map(({ name, value }, index) => {
    if (name === '') return null;
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)) return text.headerName;
    if (REFUSED.test(name)) return text.headerRefused;
    if (rows.slice(0, index).some((row) => row.name.toLowerCase() === name.toLowerCase())) return text.headerTwice;
    if (/[\r\n\0]/.test(value)) return text.headerValue;
    return of === 'webhook' && IGNORED.test(name) ? text.headerIgnored : null;
  });
}

/** Whether the service would refuse one of them. */
export const hasWrongHeaders = (rows: readonly HeaderRow[], of?: 'hook'): boolean =>
  checkHeaders(rows, of).some((problem) => problem !== null && problem !== text.headerIgnored);

/** Advice on how many there are; null where there is none. */
export const adviseHeaders = (rows: readonly HeaderRow[]): string | null =>
  rows.filter(({ name }) => name !== '').length > ADVISED_HEADERS ? text.manyHeaders : null;

export const toRows = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export const fromRows = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));
