import { CommandError } from '../command-error.ts';
import {
  fitsTemplate,
  formatRedirects,
  toJson,
  toVercel,
  type PathRedirect,
  type RedirectFormat,
} from './format-redirects.ts';

const BEGIN = '# Redirects of renamed posts, written by "blog redirects". Lines in this block are replaced.';
const END = '# End of the redirects of renamed posts.';

/**
 * What a file is to hold: what it holds already, and these redirects in place of those that were written before. Hosts
 * take the first line that fits, so they come before lines of others.
 *
 * @param existing null where there is no file
 * @throws CommandError for a file that cannot be kept
 */
export function mergeRedirects(
  redirects: readonly PathRedirect[],
  { format, template }: { readonly format: RedirectFormat; readonly template: string },
  existing: string | null,
): string {
  if (format === 'json') return formatRedirects(redirects, format);
  if (format === 'vercel') return mergeVercel(redirects, template, existing);
  const block = `${BEGIN}\n${formatRedirects(redirects, format)}${END}\n`;
  if (existing === null) return block;
  const [start, end] = [existing.indexOf(BEGIN), existing.indexOf(END)];
  if (start === -1 && end === -1) return block + existing;
  if (start === -1 || end < start)
    throw new CommandError('The file has only one of the two marker lines of "blog redirects". Remove it.');
  return existing.slice(0, start) + block + existing.slice(end + END.length).replace(/^\r?\n/, '');
}

/** JSON has no comments: a redirect from one post's path to another's counts as written before. */
function mergeVercel(redirects: readonly PathRedirect[], template: string, existing: string | null): string {
  const settings = existing === null ? {} : parseSettings(existing);
  const kept: unknown = settings['redirects'] ?? [];
  if (!Array.isArray(kept)) throw new CommandError('The file’s “redirects” is not a list.');
  const others = (kept as Record<string, unknown>[]).filter(
    (one) => !(fitsTemplate(one['source'], template) && fitsTemplate(one['destination'], template)),
  );
  return toJson({ ...settings, redirects: [...toVercel(redirects), ...others] });
}

function parseSettings(text: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`The file is not JSON and was left unchanged: ${(error as Error).message}`);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new CommandError('The file is not a JSON object and was left unchanged.');
  }
  return settings as Record<string, unknown>;
}
