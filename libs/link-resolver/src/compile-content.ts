import { requoteAttribute } from './escape-html.ts';
import { findPlaceholders } from './find-placeholders.ts';
import { parseLinkTarget } from './parse-link-target.ts';
import { removeOpenersAcrossTags } from './remove-openers.ts';
import { removePlaceholders } from './remove-placeholders.ts';
import type { Segment } from './segment.ts';
import { isEndTagAt, tokenizeHtml, type Attribute, type Passage, type Tag } from './tokenize-html.ts';

/**
 * What became of the start tag of an open `<a>`: left as it is; turned into an open segment; or dropped for good,
 * because its placeholder names no slug. Its end tag shares its fate.
 */
type Anchor = 'kept' | 'link' | 'dropped';

/**
 * Compiles HTML, once, when it is written: finds every placeholder (contract §2.4.3), settles those that can never
 * become a link, and leaves the others as segments for {@link resolveLinks}. Everything else is kept byte for byte.
 *
 * @param html any text; it need not be valid HTML. Time and memory are linear in its length.
 */
export function compileContent(html: string): Segment[] {
  const compiler = new Compiler(html);
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'tag') compiler.addTag(token);
    else if (token.kind === 'text') compiler.addText(token.start, token.end);
    else compiler.addOpaque(token);
  }
  return compiler.finish();
}

class Compiler {
  readonly #html: string;
  readonly #segments: Segment[] = [];
  #literal: string[] = [];
  readonly #anchors: Anchor[] = [];
  #keptAnchors = 0;
  #lastStartTag = '';

  constructor(html: string) {
    this.#html = html;
  }

  addText(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    let position = 0;
    for (const placeholder of findPlaceholders(text)) {
      this.#addLiteral(text.slice(position, placeholder.start));
      const bare = placeholder.slug;
      if (bare === null) this.#closeGap();
      else this.#addSegment(this.#keptAnchors > 0 ? { bare, nested: true } : { bare });
      position = placeholder.end;
    }
    this.#addLiteral(text.slice(position));
  }

  addTag(tag: Tag): void {
    if (!tag.closing) this.#lastStartTag = tag.name;
    const hasPlaceholder = this.#hasPlaceholder(tag.start, tag.end);
    if (hasPlaceholder && findPlaceholders(tag.name).length > 0) {
      // Cutting the placeholder out of `<scr[INTERNAL:x]ipt>` would make another element of it.
      this.#closeGap();
    } else if (tag.name !== 'a') {
      this.#addLiteral(hasPlaceholder ? this.#withoutPlaceholders(tag, tag.start, tag.end) : this.#raw(tag));
    } else if (tag.closing) {
      this.#closeAnchor(hasPlaceholder ? this.#withoutPlaceholders(tag, tag.start, tag.end) : this.#raw(tag));
    } else {
      this.#openAnchor(tag, hasPlaceholder);
    }
  }

  /** Comments, raw text and an unfinished tag: no link can be there, so placeholders are only removed. */
  addOpaque(passage: Passage): void {
    const raw = this.#raw(passage);
    const cleaned = removePlaceholders(raw);
    if (cleaned === raw || this.#staysOne(passage, cleaned)) this.#addLiteral(cleaned);
    else this.#closeGap();
  }

  finish(): Segment[] {
    this.#flush();
    return this.#segments;
  }

  #openAnchor(tag: Tag, hasPlaceholder: boolean): void {
    // A repeated href has no effect (WHATWG HTML §13.2.5.33): it is an attribute like any other.
    const href = tag.attributes.find(({ name }) => name === 'href');
    if (href === undefined || !this.#hasPlaceholder(href.valueStart, href.valueEnd)) {
      this.#addLiteral(hasPlaceholder ? this.#withoutPlaceholders(tag, tag.start, tag.end) : this.#raw(tag));
      this.#anchors.push('kept');
      this.#keptAnchors += 1;
      return;
    }
    const target = parseLinkTarget(this.#html.slice(href.valueStart, href.valueEnd));
    if (target === null) {
      this.#closeGap();
      this.#anchors.push('dropped');
      return;
    }
    const openingQuote = href.end > href.valueEnd ? 1 : 0;
    this.#addSegment({
      open: target.slug,
      before: `${this.#withoutPlaceholders(tag, tag.start, href.valueStart - openingQuote)}"`,
      after: `${requoteAttribute(target.rest)}"${this.#withoutPlaceholders(tag, href.end, tag.end)}`,
    });
    this.#anchors.push('link');
  }

  #closeAnchor(endTag: string): void {
    const anchor = this.#anchors.pop();
    if (anchor === 'link') this.#addSegment({ close: endTag });
    else if (anchor === 'dropped') this.#closeGap();
    else this.#addLiteral(endTag);
    if (anchor === 'kept') this.#keptAnchors -= 1;
  }

  /** The part of the tag from one offset to another, less the attributes in it that hold a placeholder. */
  #withoutPlaceholders(tag: Tag, from: number, to: number): string {
    const kept: string[] = [];
    let position = from;
    for (const attribute of tag.attributes) {
      if (attribute.nameStart < from || attribute.end > to) continue;
      if (!this.#hasPlaceholder(attribute.nameStart, attribute.end)) continue;
      kept.push(this.#html.slice(position, this.#removalStart(attribute, position)));
      position = attribute.end;
    }
    kept.push(this.#html.slice(position, to));
    return kept.join('');
  }

  /** The white space before an attribute goes with it, unless what follows needs it to stay apart. */
  #removalStart(attribute: Attribute, earliest: number): number {
    if (!/[\s>]/.test(this.#html[attribute.end] ?? '')) return attribute.nameStart;
    let start = attribute.nameStart;
    while (start > earliest && /\s/.test(this.#html[start - 1]!)) start -= 1;
    return start;
  }

  /**
   * Whether the passage, once cleaned, is still read as one passage of its kind. Removing something from
   * `<!-- -[INTERNAL:x]-> … -->` or from `</scr[INTERNAL:x]ipt>` inside a script could end it early.
   */
  #staysOne(passage: Passage, cleaned: string): boolean {
    if (passage.kind === 'raw') {
      let position = cleaned.indexOf('</');
      while (position !== -1 && !isEndTagAt(cleaned, position, this.#lastStartTag)) {
        position = cleaned.indexOf('</', position + 2);
      }
      return position === -1;
    }
    // With text after it, a comment that has lost its end shows by reaching into that text.
    const sequel = passage.end < this.#html.length ? '.' : '';
    const [token] = tokenizeHtml(cleaned + sequel);
    return token?.kind === passage.kind && token.end === cleaned.length;
  }

  #hasPlaceholder(start: number, end: number): boolean {
    return findPlaceholders(this.#html.slice(start, end)).length > 0;
  }

  #raw(token: { readonly start: number; readonly end: number }): string {
    return this.#html.slice(token.start, token.end);
  }

  #addLiteral(text: string): void {
    if (text !== '') this.#literal.push(text);
  }

  #addSegment(segment: Segment): void {
    this.#closeGap();
    this.#flush();
    this.#segments.push(segment);
  }

  #flush(): void {
    if (this.#literal.length > 0) this.#segments.push(removeOpenersAcrossTags(this.#literal.join('')));
    this.#literal = [];
  }

  /**
   * To be called wherever something is taken out. A `<` of the text right before it would otherwise meet what follows:
   * `<` + `[INTERNAL:x]` + `script>` must not become a tag.
   */
  #closeGap(): void {
    const last = this.#literal.at(-1);
    if (last?.endsWith('<')) this.#literal[this.#literal.length - 1] = `${last.slice(0, -1)}&lt;`;
  }
}
