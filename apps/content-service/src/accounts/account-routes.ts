import type { listedAccount, passwordReset, Quotas } from '@blog-content/payload-schemas';
import { conflict, notFound, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import { ACCOUNT_POSITION, type AccountRemoval, type AccountStore, type ListedAccount } from './account-store.ts';
import { NO_QUOTAS, type QuotaStore } from '../quotas/quota-store.ts';
import { showAccount } from './sessions/show-session.ts';
import type { PasswordStore } from './sign-in/password-store.ts';

export interface AccountRoutesDependencies {
  readonly accounts: Pick<AccountStore, 'list' | 'remove'>;
  readonly passwordStore: Pick<PasswordStore, 'createReset'>;
  readonly quotas: Pick<QuotaStore, 'of'>;
  /** Lets only the administrator pass, signed in. */
  readonly requireAdministrator: RequestHandler;
}

/** `/accounts`, for the administrator. */
export function createAccountRoutes({
  accounts,
  passwordStore,
  quotas,
  requireAdministrator,
}: AccountRoutesDependencies): Router {
  const routes = Router();
  routes.use('/accounts', requireAdministrator);

  routes.get('/accounts', async (req, res) => {
    const page = readPage(req.query, ACCOUNT_POSITION);
    const found = await accounts.list(page);
    const allowed = await quotas.of(found.map(({ id }) => id));
    res.json(toPage(found, page.limit, (each) => show(each, allowed.get(each.id) ?? NO_QUOTAS)));
  });

  routes.delete('/accounts/:accountId', async (req, res) => {
    const removal = await accounts.remove(readId(req.params.accountId, 'account'));
    if ('refused' in removal) throw refusal(removal);
    res.status(204).end();
  });

  routes.post('/accounts/:accountId/password-resets', async (req, res) => {
    const reset = await passwordStore.createReset(readId(req.params.accountId, 'account'));
    if (!reset) throw noAccount();
    const { token, expiresAt, isEmailed } = reset;
    const shown: z.infer<typeof passwordReset> = {
      token,
      expires_at: expiresAt.toISOString(),
      is_emailed: isEmailed,
    };
    res.status(201).json(shown);
  });
  return routes;
}

const noAccount = () => notFound('Account not found.');

function refusal(removal: Exclude<AccountRemoval, { removed: true }>) {
  switch (removal.refused) {
    case 'not_found':
      return noAccount();
    case 'administrator':
      return conflict('This is the administrator’s own account. Make another account the administrator first.');
    case 'only_owner': {
      const projects = removal.projects === 1 ? '1 project' : `${removal.projects} projects`;
      return conflict(`The account is the only owner of ${projects}. Add another owner or delete the project first.`);
    }
  }
}

function show(listed: ListedAccount, quotas: Quotas): z.infer<typeof listedAccount> {
  return { ...showAccount(listed), created_at: listed.createdAt.toISOString(), quotas };
}
