import { withoutPlaceholders } from '@blog-content/link-resolver';
import { extras, MAX_TRANSLATIONS } from '@blog-content/payload-schemas';
import { type OperationalError, unprocessable } from '@blog-content/service-runtime';
import type { BlogRow } from '../blog-row.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Transaction } from '../../platform/database/open-database.ts';

interface SiblingRow {
  readonly id: string;
  readonly title: string;
  readonly language: string;
}

/**
 * Checks what a post is to say of its language and its translations.
 *
 * @throws a 422 problem for a translation key without a language, for a language that another post with the key has,
 *   and for a key that has all the posts it may have.
 */
export async function checkTranslation(
  tx: Transaction,
  { id, projectId, extra }: Pick<BlogRow, 'id' | 'projectId'> & { readonly extra: unknown },
): Promise<void> {
  const { language, translation_key: key } = extras.of(extra);
  if (key === null) return;
  if (language === null) {
    const message = 'is required for a post with a `translation_key`, for example “de”';
    throw unprocessable([{ field: 'language', message }]);
  }
  const siblings = await tx.$queryRaw<SiblingRow[]>`
    SELECT id, title, extra ->> 'language' AS language FROM blog
    WHERE project_id = ${projectId}::uuid AND extra ->> 'translation_key' = ${key} AND id <> ${id}::uuid
    LIMIT ${MAX_TRANSLATIONS}`;
  const holder = siblings.find((sibling) => sibling.language === language);
  if (holder !== undefined) {
    const by = `“${withoutPlaceholders(holder.title)}” (${holder.id})`;
    const message = `“${language}” is taken by ${by}, which has the same \`translation_key\``;
    throw unprocessable([{ field: 'language', message }]);
  }
  if (siblings.length >= MAX_TRANSLATIONS) {
    const message = `has ${MAX_TRANSLATIONS} posts already, the most that can be translations of each other`;
    throw unprocessable([{ field: 'translation_key', message }]);
  }
}

/** The problem of the slower of two posts that take one language of a key at the same time. Null for other errors. */
export function languageTaken(error: unknown): OperationalError | null {
  // The table has no other unique index that a change can violate.
  const isTaken =
    error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2002' &&
    error.meta?.['modelName'] === 'Blog';
  return isTaken
    ? unprocessable([{ field: 'language', message: 'is taken by another post with the same `translation_key`' }])
    : null;
}
