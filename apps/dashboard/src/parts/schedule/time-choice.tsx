import { Chip, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { common } from '../../strings/common.ts';
import { schedule as text } from '../../strings/writing/schedule.ts';
import { toLocalInput } from '../forms/local-time.ts';
import { TimeField } from '../forms/time-field.tsx';
import { formatTime, timeZone } from '../dates.ts';
import { nextTimes } from './next-times.ts';

/** The time that is offered first, as the field of a time holds it. */
export const firstTime = (): string => toLocalInput(nextTimes().tomorrow);

/** Asks when a post goes live: at one of two times that are near, or at any other. `before` is what was scheduled. */
export function TimeChoice(props: { value: string; before?: string | undefined; onChange: (value: string) => void }) {
  const { value, before, onChange } = props;
  const [times] = useState(() => {
    const { tomorrow, monday } = nextTimes();
    const offered = [
      { value: toLocalInput(tomorrow), label: text.tomorrow(formatTime(tomorrow)) },
      { value: toLocalInput(monday), label: text.monday(formatTime(monday)) },
    ];
    // On a Sunday they are the same.
    return tomorrow === monday ? offered.slice(0, 1) : offered;
  });
  const [isPicking, setPicking] = useState(() => !times.some((time) => time.value === value));
  return (
    <Stack gap="sm">
      <Chip.Group
        value={isPicking ? 'pick' : value}
        onChange={(chosen) => {
          setPicking(chosen === 'pick');
          if (typeof chosen === 'string' && chosen !== 'pick') onChange(chosen);
        }}
      >
        <Group gap="xs" role="group" aria-label={text.at}>
          {times.map((time) => (
            <Chip key={time.value} value={time.value} size="sm" variant="light">
              {time.label}
            </Chip>
          ))}
          <Chip value="pick" size="sm" variant="light">
            {text.pick}
          </Chip>
        </Group>
      </Chip.Group>
      {isPicking ? (
        <TimeField label={text.at} value={value} before={before} onChange={onChange} />
      ) : (
        <Text size="xs" c="dimmed">
          {common.timesIn(timeZone())}
        </Text>
      )}
    </Stack>
  );
}
