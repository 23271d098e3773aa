export { compileContent } from './compile-content.ts';
export { escapeHtml } from './escape-html.ts';
export { findPlaceholders } from './find-placeholders.ts';
export { imageIdentity } from './image-identity.ts';
export { urlWithoutPlaceholders, whyNothingShows, withoutPlaceholders } from './plain-texts.ts';
export { namedSlugs, renamePlaceholders } from './rename-placeholders.ts';
export {
  linkBase,
  linkCharacters,
  MAX_LINK_CHARACTERS,
  resolveLinks,
  withoutTrailingSlashes,
  type LinkTarget,
  type ProjectLinks,
} from './resolve-links.ts';
export {
  parseSegments,
  placeholderSlugs,
  type BareSegment,
  type CloseSegment,
  type OpenSegment,
  type Segment,
} from './segment.ts';
export { tokenizeHtml, type Tag } from './tokenize-html.ts';
