import { SegmentedControl, Stack, Text } from '@mantine/core';
import { formatDateTime, timeZone } from '../../../parts/dates.ts';
import { isOver, toLocalInput } from '../../../parts/forms/local-time.ts';
import { firstTime, TimeChoice } from '../../../parts/schedule/time-choice.tsx';
import { common } from '../../../strings/common.ts';
import { publicationDate } from '../../../strings/writing/publication-date.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';

/** When the post goes live: a time as its field holds it, or null for now. */
export type When = string | null;

/** Asks for now or a time: one of two that are near, or any other. */
export function WhenField(props: {
  value: When;
  /** The moment that is scheduled already. */
  before: string | undefined;
  /** The publication date, if it is ahead: a post with one is scheduled for that. */
  ahead: string | null;
  isUpdate: boolean;
  onChange: (value: When) => void;
}) {
  const { value, before, ahead, onChange } = props;
  const isLater = value !== null;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={text.when}
        fullWidth
        value={isLater ? 'later' : 'now'}
        onChange={(chosen) => {
          const first = before !== undefined && !isOver(before) ? toLocalInput(before) : firstTime();
          onChange(chosen === 'now' ? null : first);
        }}
        data={[
          { value: 'now', label: text.now },
          { value: 'later', label: text.later },
        ]}
      />
      {isLater && ahead === null && <TimeChoice value={value} before={before} onChange={onChange} />}
      {isLater && ahead !== null ? (
        <Text size="sm">
          {publicationDate.scheduleText(formatDateTime(ahead))} {common.timesIn(timeZone())}
        </Text>
      ) : (
        <Text size="xs" c="dimmed">
          {isLater ? text.laterHint : props.isUpdate ? text.updateHint : text.nowHint}
        </Text>
      )}
    </Stack>
  );
}
