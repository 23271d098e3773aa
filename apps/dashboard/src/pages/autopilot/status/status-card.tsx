import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { listAutopilotTopicsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { Badge, type Tone } from '../../../parts/looks/badge.tsx';
import { Notice } from '../../../parts/looks/notice.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { When } from '../../../parts/when.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { OnOff } from './on-off.tsx';
import { PauseOrResume } from './pause-or-resume.tsx';
import { scheduleSentence } from '../settings/schedule.ts';
import styles from './status-card.module.css';

const TONES: Readonly<Record<Autopilot['status'], Tone>> = {
  ...{ off: 'neutral', running: 'success', waiting: 'warning', paused: 'warning', stopped: 'danger' },
};

/** When it works, whether it does, what comes next, and what it has spent. */
export function StatusCard(props: { autopilot: Autopilot; onSetUp: () => void; onFailures: () => void }) {
  const { autopilot, onSetUp, onFailures } = props;
  const isOwner = useIsOwner();
  const { status, detail, failures_in_a_row: failures } = autopilot;
  const isOff = status === 'off';
  return (
    <section aria-label={text.statusLabel} className={styles['card']}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs" role="status">
            <Badge tone={TONES[status]}>{text.status[status]}</Badge>
          </Group>
          <Group gap="xs">
            <PauseOrResume status={status} />
            {isOwner && (
              <Button size="xs" variant="default" leftSection={<Settings2 />} onClick={onSetUp}>
                {text.setUp}
              </Button>
            )}
            {isOwner && <OnOff autopilot={autopilot} />}
          </Group>
        </Group>
        <div>
          <Title order={2} size="h3" {...(isOff && { c: 'dimmed' })}>
            {isOff ? text.whenOn(scheduleSentence(autopilot)) : scheduleSentence(autopilot)}
          </Title>
          <Text c="dimmed" mt={2}>
            {autopilot.publish === 'after_review' ? text.afterReview(autopilot.review_hours) : text.draftOnly}{' '}
            {isOff && !isOwner && text.offEditor}
          </Text>
        </div>
        {detail !== null && <Notice kind={status === 'stopped' ? 'danger' : 'warning'}>{detail}</Notice>}
        {!isOff && <Facts autopilot={autopilot} />}
        {failures > 0 && (
          <Group gap="xs">
            <Text size="sm">{text.failures(failures)}</Text>
            <Button size="xs" variant="default" onClick={onFailures}>
              {text.showFailures}
            </Button>
          </Group>
        )}
      </Stack>
    </section>
  );
}

function Facts({ autopilot }: { autopilot: Autopilot }) {
  const { next_run_at: next, last_run_at: last } = autopilot;
  return (
    <dl className={styles['facts']}>
      <Fact name={text.next}>{next === null ? text.nextNone : <NextRun at={next} />}</Fact>
      <Fact name={text.month}>
        <Month autopilot={autopilot} />
      </Fact>
      <Fact name={text.last}>{last === null ? text.never : <When iso={last} />}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function NextRun({ at }: { at: string }) {
  const { id: projectId } = useProject();
  const queue = useQuery(listAutopilotTopicsOptions({ path: { projectId }, query: { limit: 1 } }));
  const topic = queue.data?.items[0]?.topic;
  return (
    <>
      <When iso={at} />
      {topic !== undefined && (
        <Text size="xs" c="dimmed">
          {text.nextTopic(topic)}
        </Text>
      )}
    </>
  );
}

/** Posts and cost, with a bar for whichever limit is nearer. */
function Month({ autopilot }: { autopilot: Autopilot }) {
  const { posts_this_month: posts, monthly_posts: mostPosts } = autopilot;
  const { cost_this_month: cost, monthly_cost: mostCost } = autopilot;
  const parts = [mostPosts && posts / mostPosts, mostCost && cost / mostCost].filter(
    (part) => typeof part === 'number',
  );
  const full = Math.min(100, 100 * Math.max(0, ...parts));
  const said = `${text.posts(posts, mostPosts)} · ${text.cost(cost.toLocaleString(), mostCost === null ? null : mostCost.toLocaleString())}`;
  return (
    <>
      {said}
      {parts.length > 0 && (
        <Progress
          mt={6}
          size={4}
          value={full}
          color={full >= 100 ? 'red' : full >= 80 ? 'yellow' : 'accent'}
          aria-label={`${text.month}: ${said}`}
        />
      )}
    </>
  );
}
