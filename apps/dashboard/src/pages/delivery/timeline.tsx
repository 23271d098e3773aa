import { Button } from '@mantine/core';
import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, RotateCw, Send } from 'lucide-react';
import type { DeliveryDetail } from '../../generated/types.gen.ts';
import { formatExactly, formatSeconds } from '../../parts/dates.ts';
import { formatDuration, tookMs } from '../../parts/deliveries/durations.ts';
import type { Tone } from '../../parts/looks/badge.tsx';
import { Step, Timeline } from '../../parts/looks/timeline.tsx';
import { webhookLog } from '../../strings/sites/webhook-log.ts';
import styles from './timeline.module.css';

const text = webhookLog.one;
type Attempt = DeliveryDetail['attempts'][number];

/** From the plan over each attempt to the result, or to what comes next. */
export function DeliveryTimeline(props: {
  delivery: DeliveryDetail;
  /** The attempt that is shown below. */
  shown: number | undefined;
  onShow: (attempt: number) => void;
}) {
  const { delivery, shown, onShow } = props;
  const { attempts } = delivery;
  return (
    <Timeline label={text.timeline}>
      <Step icon={Clock} title={text.planned} aside={<At at={delivery.created_at} />} />
      {attempts.map((attempt) => (
        <Step
          key={attempt.number}
          icon={iconOf(attempt)}
          tone={toneOf(attempt)}
          title={text.attempt(attempt.number)}
          aside={<At at={attempt.started_at} since={delivery.created_at} />}
        >
          <div className={styles['detail']}>
            <Outcome attempt={attempt} />
            {attempts.length > 1 && attempt.ended_at !== null && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={text.show(attempt.number)}
                aria-pressed={attempt.number === shown}
                onClick={() => onShow(attempt.number)}
              >
                {text.view}
              </Button>
            )}
          </div>
        </Step>
      ))}
      <Result delivery={delivery} />
    </Timeline>
  );
}

const iconOf = ({ ended_at, reason }: Attempt) => (ended_at === null ? LoaderCircle : reason === null ? Send : CircleX);

const toneOf = ({ ended_at, reason }: Attempt): Tone =>
  ended_at === null ? 'accent' : reason === null ? 'success' : 'danger';

function Outcome({ attempt }: { attempt: Attempt }) {
  const { status_code, detail } = attempt;
  const ms = tookMs(attempt);
  if (ms === null) return <span>{text.running}</span>;
  return (
    <span>
      <b>{status_code ?? webhookLog.noAnswer}</b> · {formatDuration(ms)}
      {detail !== null && <> · {detail}</>}
    </span>
  );
}

const RESULTS = {
  succeeded: { icon: CircleCheck, tone: 'success' },
  failed: { icon: CircleX, tone: 'danger' },
  superseded: { icon: Ban, tone: 'neutral' },
} as const;

function Result({ delivery }: { delivery: DeliveryDetail }) {
  const { status, finished_at: at, next_attempt_at: next } = delivery;
  if (status === 'in_flight') return null;
  if (status === 'pending') {
    return next === null ? (
      <Step icon={LoaderCircle} tone="accent" title={text.waiting} />
    ) : (
      <Step icon={RotateCw} tone="warning" title={text.next} aside={<At at={next} />} />
    );
  }
  const when = at !== null && <At at={at} since={delivery.created_at} />;
  return <Step {...RESULTS[status]} title={text[status]} aside={when} />;
}

/** A minute, up to which the time since the first step says more than the clock. */
const SOON_MS = 60_000;

function sayAfter(at: string, since: string): string {
  const ms = Date.parse(at) - Date.parse(since);
  return ms >= 0 && ms < SOON_MS ? `+${formatDuration(ms)}` : formatSeconds(at);
}

function At({ at, since }: { at: string; since?: string }) {
  return (
    <time dateTime={at} title={formatExactly(at)}>
      {since === undefined ? formatSeconds(at) : sayAfter(at, since)}
    </time>
  );
}
