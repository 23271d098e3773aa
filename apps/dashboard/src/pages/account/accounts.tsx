import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Gauge, KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { listAccountsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { createPasswordReset, deleteAccount, setAccountQuotas } from '../../generated/sdk.gen.ts';
import type { ListedAccount, Quotas } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { QuotasDialog } from '../../parts/quotas/quotas-dialog.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { useSession } from '../../session/session.ts';
import { useSendsEmail } from '../../session/use-sends-email.ts';
import { account as text } from '../../strings/account.ts';
import { quotas as quotaText } from '../../strings/quotas.ts';
import { common } from '../../strings/common.ts';

interface Link {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly isEmailed: boolean;
}

/** For administrators: all accounts, reset links, and deleting an account. */
export function Accounts() {
  const session = useSession();
  const sendsEmail = useSendsEmail();
  const queries = useQueryClient();
  const [resetting, setResetting] = useState<ListedAccount | null>(null);
  const [deleting, setDeleting] = useState<ListedAccount | null>(null);
  const [limiting, setLimiting] = useState<ListedAccount | null>(null);
  const [link, setLink] = useState<Link | null>(null);
  const list = useInfiniteQuery({
    ...listAccountsInfiniteOptions({ query: { limit: 50 } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const me = 'account' in session ? session.account.id : '';
  const reset = async ({ id: accountId, email }: ListedAccount) => {
    const { data } = await createPasswordReset({ path: { accountId }, throwOnError: true });
    setLink({ email, token: data.token, expiresAt: data.expires_at, isEmailed: data.is_emailed });
  };
  const setQuotas = async ({ id: accountId }: ListedAccount, body: Quotas) => {
    await setAccountQuotas({ path: { accountId }, body, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listAccounts' }] });
  };
  const remove = async ({ id: accountId }: ListedAccount) => {
    await deleteAccount({ path: { accountId }, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listAccounts' }] });
    notify.done(text.deleted);
  };
  return (
    <Stack gap="sm">
      <Text c="dimmed">{text.accountsText}</Text>
      <QueryProblem query={list} />
      <Rows label={text.accounts}>
        {items.map((account) => (
          <Account
            key={account.id}
            account={account}
            isMe={account.id === me}
            onLimit={() => setLimiting(account)}
            onReset={() => setResetting(account)}
            onDelete={() => setDeleting(account)}
          />
        ))}
      </Rows>
      <LoadMore list={list} />
      {resetting !== null && (
        <ConfirmDialog
          opened
          title={text.resetTitle(resetting.email)}
          confirm={text.resetConfirm}
          onConfirm={() => reset(resetting)}
          onClose={() => setResetting(null)}
        >
          <Text size="sm">{sendsEmail === true ? text.resetTextSent : text.resetText}</Text>
        </ConfirmDialog>
      )}
      {limiting !== null && (
        <QuotasDialog
          title={quotaText.titleOf(limiting.email)}
          hint={quotaText.accountHint}
          quotas={limiting.quotas}
          send={(quotas) => setQuotas(limiting, quotas)}
          onClose={() => setLimiting(null)}
        />
      )}
      {deleting !== null && (
        <ConfirmDialog
          opened
          danger
          title={text.deleteTitle(deleting.email)}
          confirm={text.deleteConfirm}
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        >
          <Text size="sm">{text.deleteText}</Text>
        </ConfirmDialog>
      )}
      {link !== null && <ResetLink link={link} onClose={() => setLink(null)} />}
    </Stack>
  );
}

function Account(props: {
  account: ListedAccount;
  isMe: boolean;
  onLimit: () => void;
  onReset: () => void;
  onDelete: () => void;
}) {
  const { account, isMe } = props;
  const { email } = account;
  return (
    <Row
      email={email}
      title={
        <>
          {email}
          {(isMe || account.is_administrator) && <Badge>{isMe ? text.you : text.administrator}</Badge>}
        </>
      }
      actions={
        <RowMenu label={text.actionsOf(email)}>
          <Menu.Item leftSection={<Gauge />} onClick={props.onLimit}>
            {quotaText.set}
          </Menu.Item>
          {!isMe && (
            <>
              <Menu.Item leftSection={<KeyRound />} onClick={props.onReset}>
                {text.reset}
              </Menu.Item>
              <Menu.Item color="red" leftSection={<Trash2 />} onClick={props.onDelete}>
                {text.delete}
              </Menu.Item>
            </>
          )}
        </RowMenu>
      }
    />
  );
}

/** The link that sets a new password, to be handed over; it is shown this once. */
function ResetLink({ link, onClose }: { link: Link; onClose: () => void }) {
  return (
    <Dialog
      opened
      closable={false}
      onClose={onClose}
      title={link.isEmailed ? text.resetSent(link.email) : text.resetShown}
    >
      <Stack>
        <Text size="sm">{link.isEmailed ? text.resetSentText : text.resetShownText(link.email)}</Text>
        <CopyField value={`${window.location.origin}/password-reset#${link.token}`} what={text.resetLink} />
        <Text size="sm" c="dimmed" component="div">
          {text.expires} <When iso={link.expiresAt} />
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{common.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
