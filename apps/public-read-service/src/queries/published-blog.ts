import type { LinkTarget, ProjectLinks, Segment } from '@blog-content/link-resolver';
import type { AuthorState } from '@blog-content/payload-schemas';

/** One of the published blogs that have the same translation key. */
export type Sibling = Pick<BlogSummary, 'id' | 'slug' | 'title'> & { readonly language: string };

/** A published blog without its content. */
export interface BlogSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Extra fields, by their names. */
  readonly extra: object;
  /** One per language, where they are asked for and the blog has a translation key. */
  readonly translations?: readonly Sibling[];
  /** ISO 8601 UTC with milliseconds. */
  readonly publishedAt: string;
}

/** A published blog with its content, cut at its link placeholders. */
export interface BlogWithContent extends BlogSummary {
  /** ISO 8601 UTC with milliseconds. */
  readonly updatedAt: string;
  readonly segments: readonly Segment[];
  /** Slug that placeholders name → id of the blog that they are bound to. Null when none is bound. */
  readonly bindings: ReadonlyMap<string, string> | null;
}

/** A translation of a post that is linked to. */
export interface TranslatedTarget extends LinkTarget {
  /** What it and the post have in common. */
  readonly translationKey: string;
}

/** What placeholders of several blogs are resolved against. */
export interface LinkContext {
  readonly siteUrl: string | null;
  /** The published targets, by what {@link targetKey} makes: two blogs may bind one slug to different ones. */
  readonly targets: ReadonlyMap<string, LinkTarget>;
  /** Translations of these in the languages of posts that link to them, by {@link translatedKey}. */
  readonly translated: ReadonlyMap<string, TranslatedTarget>;
  /** The authors that posts of the page may name, by each of their slugs. Empty where no post names any. */
  readonly authors: ReadonlyMap<string, StoredAuthor>;
}

/** What a placeholder leads to, as one text. @param boundTo the id of the blog that it is bound to */
export function targetKey(slug: string, boundTo: string | null | undefined): string {
  return boundTo === null || boundTo === undefined ? slug : `${slug} ${boundTo}`;
}

/** What leads posts in a language to a translation of a target. @param target by {@link targetKey} */
export const translatedKey = (target: string, language: string): string => `${target} ${language}`;

/**
 * What the placeholders of one of these blogs are resolved against. They lead to the translation in the blog's own
 * language where there is one, except among the blog's own translations.
 */
export function linksOf(
  { slug: self, bindings, extra }: Pick<BlogWithContent, 'slug' | 'bindings' | 'extra'>,
  { siteUrl, targets, translated }: Pick<LinkContext, 'siteUrl' | 'targets' | 'translated'>,
): ProjectLinks {
  const { language, translation_key: ownKey } = extra as { language?: string; translation_key?: string };
  const isTranslated = language !== undefined && translated.size > 0;
  if (bindings === null && !isTranslated) return { siteUrl, targets, self };
  const get = (slug: string): LinkTarget | undefined => {
    const target = targetKey(slug, bindings?.get(slug));
    const translation = isTranslated ? translated.get(translatedKey(target, language)) : undefined;
    return translation !== undefined && translation.translationKey !== ownKey ? translation : targets.get(target);
  };
  return { siteUrl, targets: { get }, self };
}

/** A project and the version of what its readers see: a decimal integer that grows with every visible change. */
export interface ProjectVersion {
  readonly projectId: string;
  /** The account that the project counts for. It is the project's id while no owner is known. */
  readonly accountId: string;
  readonly version: string;
  /** An administrator has suspended it for readers too. */
  readonly isSuspended: boolean;
}

/** An author as the read model has them. Nobody reads the email address here. */
export type StoredAuthor = Omit<AuthorState, 'email'>;

export const toStoredAuthor = ({ email: _email, ...author }: AuthorState): StoredAuthor => author;

/** Authors as the column of a project has them: null for none. */
export const authorsJson = (authors: readonly StoredAuthor[] = []): string | null =>
  authors.length === 0 ? null : JSON.stringify(authors);
