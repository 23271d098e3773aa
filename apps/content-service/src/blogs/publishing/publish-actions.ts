import type { Publish, PublishAnswer, publishRequest } from '@blog-content/payload-schemas';
import { conflict, notFound, preconditionFailed, unprocessable } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { MAX_SCHEDULES } from '../../limits.ts';
import { noBlog } from '../writing/blog-actions.ts';
import type { Blog } from '../writing/blog-store.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import type { ChangeRequest, PublishStore, Refusal } from './publish-store.ts';
import type { ReadyContent } from './ready-content.ts';
import { showPublish, showSchedule } from './show-publish.ts';

export interface PublishActionsDependencies {
  readonly publishing: Pick<PublishStore, 'publish' | 'unpublish'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find'>;
}

/** Publishing, as routes and agents' tools do it alike: refusals are thrown as problems. */
export function createPublishActions({ publishing, outcomes }: PublishActionsDependencies) {
  return {
    /** To be run by `withReadyContent`. @throws ContentNotReady */
    async publish(
      request: ChangeRequest,
      command: 'publish' | 'sync',
      { published_at: given }: z.infer<typeof publishRequest>,
      ready: ReadyContent | undefined,
    ): Promise<PublishAnswer> {
      const publicationDate = typeof given === 'string' ? new Date(given) : given;
      const outcome = await publishing.publish(request, command, { publicationDate, ready });
      if ('refused' in outcome) throw refusal(outcome);
      if ('scheduled' in outcome) return { status: 'scheduled', ...showSchedule(outcome.scheduled) };
      const publish = await outcomes.find(request.projectId, outcome.publishId);
      if (!publish) throw new Error('The new publish was deleted.');
      return showPublish(publish);
    },

    async unpublish(request: ChangeRequest): Promise<Blog> {
      const outcome = await publishing.unpublish(request);
      if ('refused' in outcome) throw refusal(outcome);
      return outcome.blog;
    },

    async find(projectId: string, publishId: string): Promise<Publish> {
      const publish = await outcomes.find(projectId, publishId);
      if (!publish) throw notFound('Publish not found.');
      return showPublish(publish);
    },
  };
}

/** Why a change of a blog was refused, as a problem. */
export function refusal({ refused }: Refusal) {
  switch (refused) {
    case 'not_found':
      return noBlog();
    case 'not_published':
      return conflict('The post is not published.');
    case 'changed':
      return preconditionFailed('post');
    case 'dated_ahead':
      return conflict(
        'The post is published, but its publication date is in the future. Change `published_at`, or unpublish the post first.',
      );
    case 'too_far_ahead':
      return unprocessable([
        { field: 'published_at', message: 'must be at most two years ahead to schedule the post' },
      ]);
    case 'too_many':
      return conflict(`Limit reached: ${MAX_SCHEDULES} scheduled publishes per project.`);
  }
}
