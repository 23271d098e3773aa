import { createFairQueue } from '@blog-content/concurrency';
import type { GuardedAgents } from '@blog-content/url-guard';
import type { Lease } from '../http/exchange.ts';
import { sendWebhook } from '../http/send-webhook.ts';
import {
  deliverToDestination,
  type DestinationDependencies,
  type DestinationWork,
  testDestination,
} from './deliver-to-destination.ts';
import type { Target } from './destination.ts';
import type { ConvertToMarkdown } from './devto/convert-in-thread.ts';
import { createFetchImage } from './fetch-image.ts';
import { MAX_IMAGES_HELD } from './image-copies.ts';
import type { Send } from './target-client.ts';

export interface DestinationsOptions extends Pick<
  DestinationDependencies,
  'store' | 'bodies' | 'userAgent' | 'timeoutMs' | 'now' | 'apis'
> {
  readonly agents: GuardedAgents;
}

/** The direct integrations of one process (contract §6.7). */
export function createDestinations({ agents, ...options }: DestinationsOptions) {
  const send: Send = (request, sending) => sendWebhook(request, { agents, ...sending });
  const dependencies: DestinationDependencies = {
    ...options,
    send,
    fetchImage: createFetchImage(send, options.userAgent),
    convertToMarkdown: convertWhenNeeded(),
    imageQueue: createFairQueue(MAX_IMAGES_HELD),
  };
  return {
    deliver: (work: DestinationWork, lease: Lease) => deliverToDestination(work, lease, dependencies),
    test: (target: Target, deliveryId: string, lease: Lease) =>
      testDestination(target, deliveryId, lease, dependencies),
  };
}

/** Loads what converts when there is something to convert. */
function convertWhenNeeded(): ConvertToMarkdown {
  let convert: ConvertToMarkdown | undefined;
  return async (owner, html, interrupted) => {
    const { createConvertToMarkdown } = await import('./devto/convert-in-thread.ts');
    convert ??= createConvertToMarkdown();
    return convert(owner, html, interrupted);
  };
}

/** See {@link createDestinations}. */
export type Destinations = ReturnType<typeof createDestinations>;
