import type { BlogUpdateRequest } from '../../generated/types.gen.ts';
import { errorsIn, explainError, fieldErrors, nameOf } from '../../parts/explain-error.ts';
import { languageName } from '../../parts/languages/language-names.ts';
import { editor as text } from '../../strings/editor.ts';
import { extraFields } from '../../strings/writing/extra-fields.ts';
import { languages } from '../../strings/writing/languages.ts';
import { links } from '../../strings/writing/links.ts';
import { publicationDate } from '../../strings/writing/publication-date.ts';

const NAMES: Readonly<Record<keyof BlogUpdateRequest, string>> = {
  title: text.title,
  content: text.content,
  content_markdown: text.settings.markdown,
  slug: text.settings.slug,
  release_alias: links.releaseAlias,
  excerpt: text.settings.excerpt,
  meta_title: text.settings.metaTitle,
  meta_description: text.settings.metaDescription,
  featured_image_url: text.settings.hero,
  generated_images: text.settings.madeImages,
  categories: text.settings.categories,
  tags: text.settings.tags,
  keyword: text.settings.keyword,
  published_at: publicationDate.label,
  ...extraFields,
};

/** What the form calls a field of the post that the API names. */
export const nameOfField = (field: string): string => nameOf(field, NAMES);

/** The id of the element where a field of the post is written. */
export const idOfField = (field: string): string => `post-${field}`;

/** Why the service refuses the field. */
export function reasonOf(field: string, error: unknown): string {
  const { title, detail, todo } = explainError(error);
  // The field itself says which post has it, and what can be done.
  if (field === 'slug' && detail?.startsWith('The slug ') === true) return links.refused;
  const said = errorsIn(field, fieldErrors(error), nameOfField(field));
  if (field === 'language' && said !== undefined) return takenLanguage(said) ?? said;
  return said ?? detail ?? `${title}. ${todo}`;
}

/** That a translation has the language already, without the id and the key that programs need. */
function takenLanguage(said: string): string | null {
  const [, tag, title] = /^“([^”]+)” is taken by “(.*)” \([\da-f-]{36}\)/s.exec(said) ?? [];
  return tag === undefined || title === undefined ? null : languages.taken(languageName(tag), title);
}
