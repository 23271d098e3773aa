import { startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices, type OwnerClient } from '@blog-content/local-services';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** How long the project's changes are to be quiet before its deploy hook is requested; 10 s in a deployment. */
const QUIET_MS = '500';

/** The running product with its owner signed in. */
export interface Stack extends AsyncDisposable {
  readonly origin: string;
  readonly owner: OwnerClient;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
}

/** Starts the services on a PostgreSQL of their own, or on that of `DATABASE_URL`. */
export async function startStack(folder: string): Promise<Stack> {
  await using started = new AsyncDisposableStack();
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), disposable: true });
  started.defer(() => postgres.stop());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: `examples_${randomBytes(4).toString('hex')}_`,
    settings,
    logFolder: folder,
    imageFolder: join(folder, 'images'),
    environment: { 'webhook-dispatcher': { DEPLOY_HOOK_QUIET_MS: QUIET_MS } },
  });
  started.defer(() => local.stop());
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const resources = started.move();
  const { ownerEmail, ownerPassword } = settings;
  return {
    origin: local.origin,
    owner,
    ownerEmail,
    ownerPassword,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
