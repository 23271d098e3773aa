import { parseHtml } from '../document/elements.ts';
import { postAddress } from '../settings/post-address.ts';

/** A published post that a link leads to. */
interface LinkTarget {
  readonly slug: string;
  readonly title: string;
}

type Targets = ReadonlyMap<string, LinkTarget>;

const PLACEHOLDER = /(?:\[|%5b)(?:\s|%20)*internal:(?:\s|%20)*([a-z0-9-]+)(?:\s|%20)*(?:\]|%5d)([?#].*)?/i;

/** The slugs of the posts that the content links to. */
export function linkedSlugs(html: string): readonly string[] {
  const all = parseHtml(html);
  const found = [...all.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? '');
  const bare = all.textContent.match(new RegExp(PLACEHOLDER, 'gi')) ?? [];
  const slugs = [...found, ...bare].map((place) => PLACEHOLDER.exec(place)?.[1]?.toLowerCase());
  return [...new Set(slugs.filter((slug) => slug !== undefined))];
}

/**
 * Content about as readers get it (docs/contract.md, 2.4): links to published posts resolved, others only their words,
 * and the hero taken out. What is published is made by the service; this is for looking at.
 *
 * @param about.targets where links lead, by the slugs that they name
 */
export function readerHtml(
  html: string,
  { targets, siteUrl, hero }: { targets: Targets; siteUrl: string | null; hero: string | null },
): string {
  const root = parseHtml(html);
  for (const link of root.querySelectorAll('a[href]')) {
    const [, slug, rest = ''] = PLACEHOLDER.exec(link.getAttribute('href') ?? '') ?? [];
    if (slug === undefined) continue;
    const target = targets.get(slug.toLowerCase());
    if (target !== undefined) link.setAttribute('href', postAddress(siteUrl, target.slug) + rest);
    else link.replaceWith(...link.childNodes);
  }
  resolveBare(root, targets, siteUrl);
  if (hero !== null) takeOutHero(root, hero);
  return root.innerHTML;
}

function resolveBare(root: HTMLElement, targets: Targets, siteUrl: string | null): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    const parts = node.data.split(new RegExp(PLACEHOLDER, 'gi'));
    if (parts.length === 1) continue;
    // Before, slug, what follows it, between, slug, …
    const nodes = parts.flatMap((part, index): (Node | string)[] => {
      if (index % 3 === 0) return [part];
      const target = index % 3 === 1 ? targets.get((part ?? '').toLowerCase()) : undefined;
      if (target === undefined) return [];
      const link = root.ownerDocument.createElement('a');
      link.href = postAddress(siteUrl, target.slug);
      link.textContent = target.title;
      return [link];
    });
    node.replaceWith(...nodes);
  }
}

function takeOutHero(root: HTMLElement, hero: string): void {
  for (const image of root.querySelectorAll('img')) {
    if (image.getAttribute('src') !== hero) continue;
    let gone: Element = image;
    while (gone.parentElement?.matches('p, figure, a, picture') && isEmptyBeside(gone)) gone = gone.parentElement;
    gone.remove();
  }
}

function isEmptyBeside(element: Element): boolean {
  const siblings = [...(element.parentElement?.childNodes ?? [])].filter((node) => node !== element);
  return siblings.every((node) => (node instanceof Element ? node.localName === 'source' : !node.textContent?.trim()));
}
