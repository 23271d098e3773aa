import { urlWithoutPlaceholders } from '@blog-content/link-resolver';
import { unprocessable } from '@blog-content/service-runtime';

/**
 * URLs that are made public as they are, by their fields' names.
 * @throws a 422 problem for those with a link placeholder.
 */
export function checkGivenUrls(urls: Readonly<Record<string, string | null | undefined>>): void {
  const refused = Object.entries(urls).filter(([, url]) => url != null && urlWithoutPlaceholders(url) === null);
  if (refused.length === 0) return;
  throw unprocessable(
    refused.map(([field]) => ({
      field,
      message: 'must not contain a link placeholder ([INTERNAL:…]) in any encoding',
    })),
  );
}
