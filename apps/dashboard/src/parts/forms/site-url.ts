/** A site’s URL as somebody types it: without a scheme it gets `https://`; nothing is null. The service checks the rest. */
export function siteUrlOf(typed: string): string | null {
  const url = typed.trim();
  if (url === '') return null;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`;
}
