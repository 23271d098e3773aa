import type { OutgoingRequest } from '../http/exchange.ts';
import { keyFileUrl } from './site-address.ts';

/** The request of https://www.indexnow.org/documentation, “Submitting set of URLs”, each address once. */
export function pingRequest(
  endpoint: string,
  { siteUrl, key, urls, userAgent }: { siteUrl: string; key: string; urls: readonly string[]; userAgent: string },
): OutgoingRequest {
  const body = {
    host: new URL(siteUrl).host,
    key,
    keyLocation: keyFileUrl(siteUrl, key),
    urlList: [...new Set(urls)],
  };
  return {
    url: endpoint,
    method: 'POST',
    headers: { 'user-agent': userAgent, 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    connection: 'close',
  };
}
