import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { orNull } from '../../../api/or-null.ts';
import { getPublicKeyUsageQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { createPublicKey, getPublicKeyUsage, revokePublicKey } from '../../../generated/sdk.gen.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { CodeTabs } from '../../../parts/looks/code-tabs.tsx';
import { notify } from '../../../parts/notify.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { When } from '../../../parts/when.tsx';
import { common } from '../../../strings/common.ts';
import { setup } from '../../../strings/sites/setup.ts';
import { snippets } from '../../api-access/snippets.ts';
import styles from './guide.module.css';
import type { Setup } from './use-setup.ts';

const text = setup.connect;
/** The snippets that a first site needs, and plain `fetch` for any other. */
const SHOWN = ['Astro', 'Next', 'Eleventy', 'Hugo', 'JavaScript'];

export function ConnectStep(props: { setup: Setup; onMade: () => void; onNext: () => void }) {
  const { publicKey, hasWebhook } = props.setup;
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const path = { projectId };
  const queries = useQueryClient();
  const readAgain = () =>
    Promise.all(['getPublicKey', 'getPublicKeyUsage'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
  const revoke = useMutation({
    mutationFn: () => revokePublicKey({ path, throwOnError: true }),
    onSuccess: readAgain,
    onError: (error) => notify.failed(error),
  });
  const create = useMutation({
    mutationFn: () => createPublicKey({ path, throwOnError: true }),
    onSuccess: async () => {
      props.onMade();
      await readAgain();
      notify.done(text.made, { label: common.undo, run: () => revoke.mutate() });
    },
    onError: (error) => notify.failed(error),
  });
  if (publicKey === null) {
    return (
      <>
        <Text size="sm" c="dimmed">
          {hasWebhook ? text.byWebhook : text.text} {!isOwner && text.askOwner}
        </Text>
        {isOwner && (
          <Group>
            <Button leftSection={<KeyRound />} loading={create.isPending} onClick={() => create.mutate()}>
              {text.action}
            </Button>
            <PageLink size="sm" to="/projects/$projectId/webhooks" params={path}>
              {text.webhook}
            </PageLink>
          </Group>
        )}
      </>
    );
  }
  const all = snippets(window.location.origin, publicKey.public_key);
  return (
    <>
      <CopyField value={publicKey.public_key} what={text.key} />
      <div className={styles['code']}>
        <Text size="sm" fw={500} mb={4}>
          {text.code}
        </Text>
        <CodeTabs
          remembers
          snippets={SHOWN.flatMap((name) => all.find((each) => each.name === name) ?? [])}
          nameOf={text.snippetOf}
        />
      </div>
      <Use />
      <Group>
        {props.setup.published === null && <Button onClick={props.onNext}>{text.next}</Button>}
        <Anchor size="sm" href="/docs/quickstart-site">
          {text.guide}
        </Anchor>
      </Group>
      {isOwner && (
        <Text size="xs" c="dimmed">
          {text.undo}{' '}
          <PageLink underline="always" to="/projects/$projectId/api-access" params={path}>
            {text.apiAccess}
          </PageLink>
          .
        </Text>
      )}
    </>
  );
}

const LOOK_EVERY_MS = 5_000;

/** Whether the key has been used: no event says so. */
function Use() {
  const path = { projectId: useProject().id };
  const query = { days: 7 };
  const [queryKey] = getPublicKeyUsageQueryKey({ path, query });
  const usage = useQuery({
    queryKey: [{ ...queryKey, nullWhereNone: true }],
    queryFn: ({ signal }) => orNull(getPublicKeyUsage({ path, query, signal, throwOnError: true })),
    refetchInterval: ({ state }) => (state.data?.last_used_at ? false : LOOK_EVERY_MS),
  });
  if (!usage.data) return null;
  const { last_used_at: at } = usage.data;
  return (
    <Text size="sm" c="dimmed" role="status">
      {at === null ? (
        text.waiting
      ) : (
        <>
          {text.used} <When iso={at} />
        </>
      )}
    </Text>
  );
}
