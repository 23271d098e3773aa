import { Chip, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { isOver, toLocalInput } from '../../../parts/forms/local-time.ts';
import { TimeField } from '../../../parts/forms/time-field.tsx';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { nextTimes } from './next-times.ts';

/** When the post goes live: a time as its field holds it, or null for now. */
export type When = string | null;

/** Asks for now or a time: one of two that are near, or any other. */
export function WhenField(props: {
  value: When;
  /** The moment that is scheduled already. */
  before: string | undefined;
  isUpdate: boolean;
  onChange: (value: When) => void;
}) {
  const { value, before, onChange } = props;
  const [times] = useState(() => {
    const { tomorrow, monday } = nextTimes();
    const offered = [
      { value: toLocalInput(tomorrow), label: text.tomorrow },
      { value: toLocalInput(monday), label: text.monday },
    ];
    // On a Sunday they are the same.
    return tomorrow === monday ? offered.slice(0, 1) : offered;
  });
  const [isPicking, setPicking] = useState(() => value !== null && !times.some((time) => time.value === value));
  const isLater = value !== null;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={text.when}
        fullWidth
        value={isLater ? 'later' : 'now'}
        onChange={(chosen) => {
          const first = before !== undefined && !isOver(before) ? toLocalInput(before) : (times[0]?.value ?? '');
          onChange(chosen === 'now' ? null : first);
          setPicking(chosen === 'later' && !times.some((time) => time.value === first));
        }}
        data={[
          { value: 'now', label: text.now },
          { value: 'later', label: text.later },
        ]}
      />
      {isLater && (
        <>
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
          {isPicking && <TimeField label={text.at} value={value} before={before} onChange={onChange} />}
        </>
      )}
      <Text size="xs" c="dimmed">
        {isLater ? text.laterHint : props.isUpdate ? text.updateHint : text.nowHint}
      </Text>
    </Stack>
  );
}
