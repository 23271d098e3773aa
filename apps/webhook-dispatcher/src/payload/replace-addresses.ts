import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';

/** What takes the place of so many characters, as it is written in HTML. */
interface Replacement {
  readonly length: number;
  readonly address: string;
}

/**
 * Content with other addresses behind each `attribute`, such as `href="`, where `replacementFor` has one for what
 * begins there. They are chosen by whoever answers a request, and one may take the place of a few characters ten
 * thousand times: those that would add more than {@link MAX_LINK_CHARACTERS} in all are left out. One pass.
 */
export function replaceAddresses(
  content: string,
  attribute: string,
  replacementFor: (rest: string) => Replacement | undefined,
): string {
  let room = MAX_LINK_CHARACTERS;
  const [head = '', ...others] = content.split(attribute);
  const replaced = others.map((rest) => {
    const replacement = replacementFor(rest);
    if (replacement === undefined) return rest;
    const { address, length } = replacement;
    const added = Math.max(0, address.length - length);
    if (added > room) return rest;
    room -= added;
    return address + rest.slice(length);
  });
  return [head, ...replaced].join(attribute);
}
