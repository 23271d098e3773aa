import { SegmentedControl, Stack, Text } from '@mantine/core';
import { publicationDate as text } from '../../strings/writing/publication-date.ts';
import { formatDateTime } from '../dates.ts';

/** The publication date of a post that was published before: the one that readers saw, or now. */
export type DateChoice = 'keep' | 'now';

/** Asks which publication date a post gets that is published again after an unpublish. */
export function KeepOrNow(props: { previous: string; value: DateChoice; onChange: (value: DateChoice) => void }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} id="keep-or-now">
        {text.label}
      </Text>
      <SegmentedControl
        aria-labelledby="keep-or-now"
        fullWidth
        data={[
          { value: 'keep', label: text.keep(formatDateTime(props.previous)) },
          { value: 'now', label: text.useNow },
        ]}
        value={props.value}
        onChange={(value) => props.onChange(value === 'keep' ? 'keep' : 'now')}
      />
    </Stack>
  );
}
