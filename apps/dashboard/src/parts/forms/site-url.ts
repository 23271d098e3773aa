/** Whether its host can be one of a site: a name with a dot, or this machine. The service checks the rest. */
export function isSiteUrl(typed: string): boolean {
  const url = siteUrlOf(typed);
  const host = url === null ? null : URL.parse(url)?.hostname;
  return host == null || host.includes('.') || host.startsWith('[') || host === 'localhost';
}

/**
 * A site’s URL as it is typed: without a scheme it gets `https://`; an empty one is null. The service checks the rest.
 */
export function siteUrlOf(typed: string): string | null {
  const url = typed.trim();
  if (url === '') return null;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`;
}
