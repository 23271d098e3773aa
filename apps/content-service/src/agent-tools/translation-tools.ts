import { blogTranslations, translationCreateRequest, translationSourceRequest } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { DeliveryOutcomeStore } from '../blogs/publishing/delivery-outcome-store.ts';
import type { SiblingStore } from '../blogs/translations/sibling-store.ts';
import { createTranslationActions } from '../blogs/translations/translation-actions.ts';
import { showBlog } from '../blogs/writing/show-blog.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { asPost, post } from './named-answers.ts';
import { blogId, defineTool, idempotencyKey, onceByKey, reading, type Tool } from './tool.ts';

interface TranslationStores {
  readonly siblings: SiblingStore;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'livePosts'>;
}

export interface TranslationToolsDependencies extends TranslationStores {
  readonly idempotency: IdempotencyStore<TranslationStores>;
}

/** The tools for a post in other languages. */
export function createTranslationTools(dependencies: TranslationToolsDependencies): Tool[] {
  const { idempotency } = dependencies;
  const actions = createTranslationActions(dependencies);
  return [
    defineTool({
      name: 'list_translations',
      title: 'List translations',
      description:
        'Lists a post and its translations: their languages and states, and how many revisions each is behind its source.',
      input: z.object({ blog_id: blogId }),
      output: blogTranslations,
      ...reading,
      run: ({ projectId }, input) => actions.list(projectId, input.blog_id),
    }),
    defineTool({
      name: 'create_translation',
      title: 'Create a translation',
      description:
        'Creates a draft in another language from a post, which needs a `language`. It has the source’s text: translate that with update_post. ' +
        'Keep links such as [INTERNAL:<slug>] and code as they are.',
      input: translationCreateRequest.extend({ blog_id: blogId, idempotency_key: idempotencyKey }),
      output: post,
      changes: 'something',
      idempotent: false,
      permission: 'draft',
      async run(caller, { blog_id: sourceId, language, idempotency_key: key }, given) {
        const created = await onceByKey(
          idempotency,
          caller,
          { key, tool: 'create_translation', given },
          async (stores) => {
            const made = await createTranslationActions(stores).create(caller.projectId, sourceId, language);
            return showBlog(made, await stores.outcomes.livePosts(made));
          },
          ({ id }) => ({ blogId: id }),
        );
        return asPost(created);
      },
    }),
    defineTool({
      name: 'confirm_translation',
      title: 'Confirm a translation',
      description:
        'Notes that a translation has all changes of its source, after you brought it up to date with update_post.',
      input: translationSourceRequest.extend({
        blog_id: blogId,
        source_id: translationSourceRequest.shape.blog_id,
      }),
      output: blogTranslations,
      changes: 'something',
      idempotent: true,
      permission: 'draft',
      run: ({ projectId }, input) => actions.confirm(projectId, input.blog_id, input.source_id),
    }),
  ];
}
