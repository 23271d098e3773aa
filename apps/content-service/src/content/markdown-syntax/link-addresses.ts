import type { MarkdownIt } from 'markdown-it';

/** What is left to text: `example.com` may be a file’s name, and spammers collect addresses of emails. */
const NOT_LINKED = ['//', 'ftp:', 'mailto:'];

/** Makes links of bare addresses that begin with `http://`, `https://` or `www.`, as GitHub does. */
export function linkAddresses({ linkify }: MarkdownIt): void {
  linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of NOT_LINKED) linkify.add(schema, null);
  linkify.add('www.', {
    validate: (text, at) =>
      /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:[/?#][^\s<>"'()[\]]*[^\s<>"'()[\].,:;!?])?/i.exec(
        text.slice(at, at + MAX_ADDRESS),
      )?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
}

/** Most characters of an address that is written without a scheme. */
const MAX_ADDRESS = 2_048;
