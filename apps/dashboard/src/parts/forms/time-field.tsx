import { common } from '../../strings/common.ts';
import { timeZone } from '../dates.ts';
import { TextInput } from './inputs.tsx';
import { fromLocalInput, isOver } from './local-time.ts';

/** A day and time to come, by the clocks of this device; `before` is the moment that was set. `timeToCome` reads it. */
export function TimeField(props: {
  label: string;
  value: string;
  before?: string | undefined;
  onChange: (value: string) => void;
  'data-autofocus'?: boolean;
}) {
  const { before, value, onChange, ...rest } = props;
  const at = fromLocalInput(value, before);
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
