import type { GuardedAgents } from '@blog-content/url-guard';
import type { ScarceWork } from '../concurrency/scarce-work.ts';
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
import type { Send } from './target-client.ts';

export interface DestinationsOptions extends Pick<
  DestinationDependencies,
  'store' | 'bodies' | 'userAgent' | 'timeoutMs' | 'now' | 'apis'
> {
  readonly agents: GuardedAgents;
  readonly scarceWork: ScarceWork;
}

/** The direct integrations of one process (contract §6.7). */
export function createDestinations({ agents, scarceWork, ...options }: DestinationsOptions) {
  const send: Send = (request, sending) => sendWebhook(request, { agents, ...sending });
  const dependencies: DestinationDependencies = {
    ...options,
    send,
    fetchImage: createFetchImage(send, options.userAgent),
    convertToMarkdown: convertWhenNeeded(scarceWork),
    imageQueue: scarceWork.images,
  };
  return {
    deliver: (work: DestinationWork, lease: Lease) => deliverToDestination(work, lease, dependencies),
    test: (target: Target, deliveryId: string, lease: Lease) =>
      testDestination(target, deliveryId, lease, dependencies),
  };
}

/** Loads what converts when there is something to convert. */
function convertWhenNeeded({ markdown }: ScarceWork): ConvertToMarkdown {
  let convert: ConvertToMarkdown | undefined;
  return async (owner, html, interrupted) => {
    const { createConvertToMarkdown } = await import('./devto/convert-in-thread.ts');
    convert ??= createConvertToMarkdown(markdown);
    return convert(owner, html, interrupted);
  };
}

/** See {@link createDestinations}. */
export type Destinations = ReturnType<typeof createDestinations>;
