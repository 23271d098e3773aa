import { destinationParts } from '@blog-content/payload-schemas';
import type { Destination, Target } from './destination.ts';
import { adminToken } from './ghost/admin-token.ts';
import { createGhost } from './ghost/ghost.ts';
import type { ImageCopies } from './image-copies.ts';
import type { TargetClient } from './target-client.ts';
import { createWordPress } from './wordpress/wordpress.ts';

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
  }
}

/** The system that an integration is of. */
export function openDestination(target: Target, client: TargetClient, copies: ImageCopies): Destination {
  switch (target.kind) {
    case 'wordpress':
      return createWordPress(target.url, client, copies);
    case 'ghost':
      return createGhost(target.url, client, copies);
  }
}
