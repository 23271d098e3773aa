import { destinationParts } from '@blog-content/payload-schemas';
import type { Lease } from '../http/exchange.ts';
import type { Destination, Target } from './destination.ts';
import type { DestinationStore } from './destination-store.ts';
import type { ConvertToMarkdown } from './devto/convert-in-thread.ts';
import { adminToken } from './ghost/admin-token.ts';
import type { ImageCopies } from './image-copies.ts';
import type { TargetClient } from './target-client.ts';

/** Where the APIs of providers are that have one for all their customers: never what a tenant says. */
export interface ProviderApis {
  readonly webflow: string;
  readonly devto: string;
  /** The GraphQL endpoint of a shop, by the shop's own address. */
  readonly shopify: (shopUrl: string) => string;
}

export const PROVIDER_APIS: ProviderApis = {
  webflow: 'https://api.webflow.com/v2',
  devto: 'https://dev.to/api',
  shopify: (shopUrl) => `${shopUrl}/admin/api/2026-10/graphql.json`,
};

/** The credential of a system, as its requests carry it. */
export function authorizationOf({ kind, secret, settings }: Target, now: () => Date): () => Record<string, string> {
  switch (kind) {
    case 'wordpress': {
      const { username } = destinationParts.wordpress.settings.parse(settings);
      const basic = Buffer.from(`${username}:${secret}`, 'utf8').toString('base64');
      return () => ({ authorization: `Basic ${basic}` });
    }
    case 'ghost':
      return () => ({ authorization: `Ghost ${adminToken(secret, now())}` });
    case 'webflow':
      return () => ({ authorization: `Bearer ${secret}` });
    case 'shopify':
      return () => ({ 'x-shopify-access-token': secret });
    case 'devto':
      return () => ({ 'api-key': secret });
  }
}

export interface OpeningDependencies {
  readonly apis: ProviderApis;
  readonly convertToMarkdown: ConvertToMarkdown;
  readonly store: Pick<DestinationStore, 'ownerOf'>;
  readonly lease: Lease;
}

/**
 * The system that an integration is of. Its code is loaded when it is first needed: an idle service does without it.
 */
export async function openDestination(
  { kind, url, settings, projectId }: Target,
  client: TargetClient,
  copies: ImageCopies,
  { apis, convertToMarkdown, store, lease }: OpeningDependencies,
): Promise<Destination> {
  switch (kind) {
    case 'wordpress': {
      const given = destinationParts.wordpress.settings.parse(settings);
      return (await import('./wordpress/wordpress.ts')).createWordPress(url, given, client, copies);
    }
    case 'ghost':
      return (await import('./ghost/ghost.ts')).createGhost(url, client, copies);
    case 'webflow': {
      const { createWebflow } = await import('./webflow/webflow.ts');
      return createWebflow(apis.webflow, url, destinationParts.webflow.settings.parse(settings), client);
    }
    case 'shopify': {
      const { createShopify } = await import('./shopify/shopify.ts');
      return createShopify(apis.shopify(url), url, destinationParts.shopify.settings.parse(settings), client);
    }
    case 'devto': {
      const { createDevTo } = await import('./devto/devto.ts');
      const toMarkdown = async (html: string) =>
        convertToMarkdown(await store.ownerOf(projectId), html, lease.interrupted);
      return createDevTo(apis.devto, toMarkdown, client);
    }
  }
}
