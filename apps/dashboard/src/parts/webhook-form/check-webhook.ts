import { webhookForm } from '../../strings/sites/webhook-form.ts';

const text = webhookForm.checks;

/** Fewest characters of a signing secret (contract §5.2.1). */
const MIN_SECRET = 16;
/** More headers than this are advised against, and not refused (contract §5.2.6). */
const ADVISED_HEADERS = 20;

/**
 * What is wrong with an address, while it is typed; null when nothing is seen. The service looks again on saving, with
 * the DNS, and has the last word: it may be set up to take others in development.
 */
export function checkUrl(typed: string): string | null {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  const url = URL.parse(trimmed);
  if (url === null || !/^https?:$/.test(url.protocol)) return text.noUrl;
  if (url.username !== '' || url.password !== '') return text.credentials;
  if (url.protocol !== 'https:') return text.notHttps;
  return isPrivate(url.hostname) ? text.privateHost : null;
}

/** Names and addresses that are plainly not public. Browsers write every form of an IPv4 address with dots. */
function isPrivate(host: string): boolean {
  if (host === 'localhost' || /\.(localhost|local|internal|lan|home|test|invalid)$/.test(host)) return true;
  if (/^\[(::1?|f[cd]|fe[89ab])/.test(host)) return true;
  const [a, b] = /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split('.').map(Number) : [];
  if (a === undefined || b === undefined) return !host.includes('.') && !host.startsWith('[');
  return (
    [0, 10, 127].includes(a) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 100 && b >= 64 && b <= 127) ||
    a >= 224
  );
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

/** Advice on how many there are; null where there is none. */
export const adviseHeaders = (rows: readonly HeaderRow[]): string | null =>
  rows.filter(({ name }) => name !== '').length > ADVISED_HEADERS ? text.manyHeaders : null;

export const toRows = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export const fromRows = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));
