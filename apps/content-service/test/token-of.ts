import type { ReceivedMail } from '@blog-content/testing';

/** The token behind the `#` of an email’s link to that page of the dashboard. */
export function tokenOf(mail: ReceivedMail | undefined, page: string): string {
  const link = new RegExp(`^https://blog\\.example/${page}#([A-Za-z0-9_-]{43})\\r?$`, 'm');
  const [, token] = link.exec(mail?.text ?? '') ?? [];
  if (token === undefined) throw new Error(`No link to ${page} in: ${mail?.text ?? 'no mail'}`);
  return token;
}
