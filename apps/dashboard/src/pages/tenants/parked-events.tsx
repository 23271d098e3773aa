import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, SkipForward } from 'lucide-react';
import { useState } from 'react';
import {
  listContentParkedEventsOptions,
  listDispatchParkedEventsOptions,
  listReadParkedEventsOptions,
  listTenantsOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import {
  retryContentParkedEvents,
  retryDispatchParkedEvents,
  retryReadParkedEvents,
  skipContentParkedEvent,
  skipDispatchParkedEvent,
  skipReadParkedEvent,
} from '../../generated/sdk.gen.ts';
import type { ParkedEvents as Parked } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { tenants as text } from '../../strings/tenants.ts';

type Service = 'content' | 'read' | 'dispatch';
type ParkedEvent = Parked['items'][number];
interface Found {
  readonly service: Service;
  readonly event: ParkedEvent;
}

const RETRY = { content: retryContentParkedEvents, read: retryReadParkedEvents, dispatch: retryDispatchParkedEvents };
const SKIP = { content: skipContentParkedEvent, read: skipReadParkedEvent, dispatch: skipDispatchParkedEvent };
const SERVICES: readonly Service[] = ['content', 'read', 'dispatch'];
const MAX_NAMED = 100;
const LOOK_EVERY_MS = 10_000;

/** The parked events of all services. One that can't be asked doesn't hide the others'. */
export function ParkedEvents() {
  const queries = useQueryClient();
  const [skipping, setSkipping] = useState<Found | null>(null);
  const parts = useQueries({
    queries: [
      { ...listContentParkedEventsOptions(), refetchInterval: LOOK_EVERY_MS },
      { ...listReadParkedEventsOptions(), refetchInterval: LOOK_EVERY_MS },
      { ...listDispatchParkedEventsOptions(), refetchInterval: LOOK_EVERY_MS },
    ],
  });
  const found = SERVICES.flatMap((service, index) =>
    (parts[index]?.data?.items ?? []).map((event): Found => ({ service, event })),
  ).sort((a, b) => a.event.parked_at.localeCompare(b.event.parked_at));
  const names = useNames(found);
  const refresh = () =>
    Promise.all(
      ['Content', 'Read', 'Dispatch'].map((service) =>
        queries.invalidateQueries({ queryKey: [{ _id: `list${service}ParkedEvents` }] }),
      ),
    );
  const retry = async ({ service, event }: Found) => {
    try {
      await RETRY[service]({ body: { key: event.key }, throwOnError: true });
      notify.done(text.retried);
    } finally {
      await refresh();
    }
  };
  const skip = async ({ service, event }: Found) => {
    await SKIP[service]({ body: { event_id: event.event_id }, throwOnError: true });
    await refresh();
    notify.done(text.skipped);
  };
  if (parts.some(({ isPending }) => isPending)) return <Loading rows={2} />;
  const hasFailed = parts.some(({ error }) => error !== null);
  return (
    <Stack gap="sm">
      {parts.map((part, index) => (
        <QueryProblem key={SERVICES[index]} query={part} />
      ))}
      {found.length === 0 ? (
        !hasFailed && <Text c="dimmed">{text.noneParked}</Text>
      ) : (
        <>
          <Text c="dimmed">{text.parkedText}</Text>
          <Rows label={text.parked}>
            {found.map((each) => (
              <ParkedRow
                key={`${each.service} ${each.event.event_id}`}
                found={each}
                project={names.get(each.event.project_id ?? '') ?? each.event.project_id}
                onRetry={() => retry(each).catch((error: unknown) => notify.failed(error))}
                onSkip={() => setSkipping(each)}
              />
            ))}
          </Rows>
        </>
      )}
      {skipping !== null && (
        <ConfirmDialog
          opened
          danger
          title={text.skipTitle}
          confirm={text.skip}
          onConfirm={() => skip(skipping)}
          onClose={() => setSkipping(null)}
        >
          <Text size="sm">{text.skipText(skipping.event.type)}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Names of the projects, by id: only content-service is sure to know them. */
function useNames(found: readonly Found[]): ReadonlyMap<string, string> {
  const ids = [...new Set(found.flatMap(({ event }) => event.project_id ?? []))].sort().slice(0, MAX_NAMED);
  const query = useQuery({
    ...listTenantsOptions({ query: { ids: ids.join(','), limit: MAX_NAMED } }),
    enabled: ids.length > 0,
    staleTime: 60_000,
  });
  return new Map(query.data?.items.map(({ id, name }) => [id, name]));
}

function ParkedRow(props: { found: Found; project: string | null; onRetry: () => unknown; onSkip: () => void }) {
  const { service, event } = props.found;
  const { type, key, blog_id: blogId } = event;
  const isMuchText = { overflowWrap: 'anywhere' } as const;
  return (
    <Row
      title={
        <span style={isMuchText}>
          {props.project === null ? text.key(key) : text.project(props.project)} <Badge>{text.services[service]}</Badge>
        </span>
      }
      note={
        <div style={isMuchText}>
          {blogId !== null && <div>{text.post(blogId)}</div>}
          <div>{text.event(type, event.event_id)}</div>
          <Text size="sm" c="var(--danger)">
            {event.error}
          </Text>
          <div>{text.failed(event.failures, event.waiting)}</div>
          <div>
            {text.parkedSince} <When iso={event.parked_at} /> · {text.nextTry} <When iso={event.retry_at} />
          </div>
          <Group gap="xs" mt="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<RotateCw />}
              aria-label={text.retryOf(type)}
              onClick={() => void props.onRetry()}
            >
              {text.retry}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<SkipForward />}
              aria-label={text.skipOf(type)}
              onClick={props.onSkip}
            >
              {text.skip}
            </Button>
          </Group>
        </div>
      }
    />
  );
}
