import { destinationParts } from '@blog-content/payload-schemas';
import type { Destination, Target } from './destination.ts';
import type { ConvertToMarkdown } from './devto/convert-in-thread.ts';
import { createDevTo } from './devto/devto.ts';
import { adminToken } from './ghost/admin-token.ts';
import { createGhost } from './ghost/ghost.ts';
import type { ImageCopies } from './image-copies.ts';
import { createShopify } from './shopify/shopify.ts';
import type { TargetClient } from './target-client.ts';
import { createWebflow } from './webflow/webflow.ts';
import { createWordPress } from './wordpress/wordpress.ts';

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

/** The system that an integration is of. */
export function openDestination(
  { kind, url, settings, projectId }: Target,
  client: TargetClient,
  copies: ImageCopies,
  { apis, convertToMarkdown }: { readonly apis: ProviderApis; readonly convertToMarkdown: ConvertToMarkdown },
): Destination {
  switch (kind) {
    case 'wordpress':
      return createWordPress(url, client, copies);
    case 'ghost':
      return createGhost(url, client, copies);
    case 'webflow':
      return createWebflow(apis.webflow, url, destinationParts.webflow.settings.parse(settings), client);
    case 'shopify':
      return createShopify(apis.shopify(url), url, destinationParts.shopify.settings.parse(settings), client);
    case 'devto':
      return createDevTo(apis.devto, (html) => convertToMarkdown(projectId, html), client);
  }
}
