import { compileContent, resolveLinks, urlWithoutPlaceholders } from '@blog-content/link-resolver';
import { htmlInMarkdown } from '../posts/html-in-markdown.ts';
import { withRelativeImages, type ExportedImages } from './portable-images.ts';
import { portableMarkdown, type Targets } from './portable-markdown.ts';
import { htmlToMarkdown } from './to-markdown.ts';

/** What posts are written as in an export: Markdown, HTML, or each as its author wrote it. */
export type ExportFormat = 'written' | 'markdown' | 'html';

/** What the content of a post is made portable with. Survives the way to another thread. */
export interface PortableTask {
  readonly projectId: string;
  readonly slug: string;
  readonly content: string;
  readonly contentMarkdown: string | null;
  readonly format: ExportFormat;
  readonly targets: Targets;
  readonly images: ExportedImages;
}

/** The body of a Markdown file. */
export interface PortableContent {
  readonly body: string;
  readonly isHtml: boolean;
}

/** Shortcodes of Hugo, which reads them in code, too. */
const SHORTCODE = /\{\{[<%]/;
/** An image that Astro would look for beside the file and not find. */
const MISSING_IMAGE = /<img[^<>]* src="(?![a-z][a-z\d+.-]*:|\/|\.\.\/images\/[0-9a-f]{64}\.)/i;

/**
 * A post's content as site generators read it: links to posts as paths on the site, images as files of the export. What
 * cannot be said in Markdown that all of them read alike is HTML.
 */
export function portableContent({ projectId, slug, content, contentMarkdown, ...task }: PortableTask): PortableContent {
  const { format, targets, images } = task;
  const links = { siteUrl: null, targets, self: slug };
  const html = withRelativeImages(resolveLinks(compileContent(content), links), projectId, images);
  const asMarkdown = (): string =>
    contentMarkdown === null
      ? htmlToMarkdown(html)
      : withRelativeImages(portableMarkdown(contentMarkdown, targets, slug), projectId, images);
  if (format === 'markdown' || (format === 'written' && contentMarkdown !== null)) {
    const body = asMarkdown();
    // Astro would take it for front matter.
    const beginsAsFrontMatter = body.trimStart().startsWith('---');
    const isPortable =
      !beginsAsFrontMatter &&
      !SHORTCODE.test(body) &&
      !MISSING_IMAGE.test(html) &&
      urlWithoutPlaceholders(body) !== null;
    if (isPortable) return { body, isHtml: false };
  }
  return { body: htmlInMarkdown(html), isHtml: true };
}
