import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Eye, EyeOff, KeyRound, RotateCw, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { usePublicKey } from '../../api/use-public-key.ts';
import { getPublicKeyUsageOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { createPublicKey, revokePublicKey, rotatePublicKey } from '../../generated/sdk.gen.ts';
import type { PublicKey } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { formatRelative } from '../../parts/dates.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem, QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { apiAccess as text } from '../../strings/sites/api-access.ts';
import { Snippets } from './snippets-tabs.tsx';
import { masked } from './snippets.ts';
import { UsageChart } from './usage-chart.tsx';

const USAGE_DAYS = 30;

type Change = 'generate' | 'rotate' | 'revoke';

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const [change, setChange] = useState<Change | null>(null);
  const asksTo = useRouterState({ select: ({ location }) => location.state.asksTo });
  const navigate = useNavigate();
  useEffect(() => {
    if (asksTo === undefined) return;
    setChange(asksTo);
    // A reload does not ask again.
    void navigate({ to: '.', replace: true });
  }, [asksTo]);
  const [revealed, setRevealed] = useState(false);
  const key = usePublicKey(projectId);
  const usage = useQuery({
    ...getPublicKeyUsageOptions({ path: { projectId }, query: { days: USAGE_DAYS } }),
    enabled: Boolean(key.data),
  });
  const none = key.data === null;
  const publicKey = key.data ?? undefined;

  return (
    <PageFrame
      title={text.title}
      description={
        <>
          {text.intro}{' '}
          <Anchor href="/docs/quickstart-site" underline="always">
            {text.guide}
          </Anchor>
        </>
      }
    >
      {key.isPending && <Loading />}
      {key.error && <Problem error={key.error} onRetry={() => void key.refetch()} />}
      {none && (
        <EmptyState
          icon={KeyRound}
          title={text.none}
          action={isOwner && <Button onClick={() => setChange('generate')}>{text.generate}</Button>}
          guide={{ href: '/docs/fetch-posts', label: text.guide }}
        >
          {isOwner ? text.noneText : text.noneEditor}
        </EmptyState>
      )}
      {publicKey && (
        <>
          <KeyCard
            publicKey={publicKey}
            lastUsedAt={usage.data?.last_used_at}
            revealed={revealed}
            onReveal={() => setRevealed(!revealed)}
            onChange={setChange}
          />
          <Snippets publicKey={publicKey.public_key} revealed={revealed} />
          <QueryProblem query={usage} />
          {usage.data && <UsageChart usage={usage.data} />}
        </>
      )}
      <ChangeDialog
        change={change === 'rotate' && !publicKey ? null : change}
        lastUsedAt={usage.data?.last_used_at}
        requests={usage.data?.days.reduce((sum, { requests }) => sum + requests, 0) ?? 0}
        onClose={() => setChange(null)}
        onDone={(made) => setRevealed(made)}
      />
    </PageFrame>
  );
}

function KeyCard(props: {
  publicKey: PublicKey;
  /** Undefined until it is known. */
  lastUsedAt: string | null | undefined;
  revealed: boolean;
  onReveal: () => void;
  onChange: (change: Change) => void;
}) {
  const { lastUsedAt, revealed, onReveal, onChange } = props;
  const { public_key, created_at } = props.publicKey;
  return (
    <Section title={text.key}>
      <CopyField value={public_key} shown={revealed ? public_key : masked(public_key)} what={text.key} />
      <Text size="sm" c="dimmed">
        {text.since} <When iso={created_at} />
        {lastUsedAt !== undefined && (
          <>
            {' · '}
            {lastUsedAt === null ? (
              text.notUsed
            ) : (
              <>
                {text.lastUsedAt} <When iso={lastUsedAt} />
              </>
            )}
          </>
        )}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" leftSection={revealed ? <EyeOff /> : <Eye />} onClick={onReveal}>
          {revealed ? text.hide : text.reveal}
        </Button>
        <OwnersOnly>
          <Button size="xs" variant="default" leftSection={<RotateCw />} onClick={() => onChange('rotate')}>
            {text.rotate}
          </Button>
          <Button size="xs" variant="light" color="red" leftSection={<Trash2 />} onClick={() => onChange('revoke')}>
            {text.revoke}
          </Button>
        </OwnersOnly>
      </Group>
    </Section>
  );
}

const TEXTS = {
  generate: {
    title: text.generateTitle,
    body: text.generateText,
    confirm: text.generate,
    done: text.generated,
    call: createPublicKey,
  },
  rotate: {
    title: text.rotateTitle,
    body: text.rotateText,
    confirm: text.rotate,
    done: text.rotated,
    call: rotatePublicKey,
  },
  revoke: {
    title: text.revokeTitle,
    body: text.revokeText,
    confirm: text.revoke,
    done: text.revoked,
    call: revokePublicKey,
  },
} as const;

/** Says what will break, with how much the key is used, before it does it. */
function ChangeDialog(props: {
  change: Change | null;
  lastUsedAt: string | null | undefined;
  requests: number;
  onClose: () => void;
  onDone: (made: boolean) => void;
}) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  if (props.change === null) return null;
  const { title, body, confirm, done, call } = TEXTS[props.change];
  const breaks = props.change !== 'generate';
  const run = async () => {
    await call({ path: { projectId }, throwOnError: true });
    await Promise.all([
      queries.resetQueries({ queryKey: [{ _id: 'getPublicKey' }] }),
      queries.resetQueries({ queryKey: [{ _id: 'getPublicKeyUsage' }] }),
    ]);
    notify.done(done);
    props.onDone(props.change !== 'revoke');
  };
  return (
    <ConfirmDialog opened title={title} confirm={confirm} danger={breaks} onConfirm={run} onClose={props.onClose}>
      <Stack gap="xs">
        <Text size="sm">{body}</Text>
        {breaks && props.lastUsedAt !== undefined && (
          <Text size="sm" fw={600}>
            {props.lastUsedAt === null
              ? text.neverUsed
              : `${text.lastUsed(formatRelative(props.lastUsedAt))} ${text.usedInMonth(props.requests)}`}
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
