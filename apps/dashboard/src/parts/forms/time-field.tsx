import { TextInput } from '@mantine/core';
import { common } from '../../strings/common.ts';
import { timeZone } from '../dates.ts';
import { isOver } from './local-time.ts';

/** A day and time to come, by the clocks of this device. `at` is the moment that `value` means, if it means one. */
export function TimeField(props: {
  label: string;
  value: string;
  at: string | null;
  onChange: (value: string) => void;
  'data-autofocus'?: boolean;
}) {
  const { at, value, onChange, ...rest } = props;
  const wrong = at === null ? common.noSuchTime : isOver(at) && common.timeIsOver;
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      description={common.timesIn(timeZone())}
      // Browsers take years of six digits.
      max="9999-12-31T23:59"
      required
      value={value}
      error={value !== '' && wrong}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
