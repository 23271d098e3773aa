import { CloseButton } from '@mantine/core';
import { useState } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { timeZone } from '../../../parts/dates.ts';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { fromLocalInput, isOver, toLocalInput } from '../../../parts/forms/local-time.ts';
import { common } from '../../../strings/common.ts';
import { publicationDate as text } from '../../../strings/writing/publication-date.ts';
import { dateProblem } from './date-problem.ts';

/** The publication date, by the clocks of this device. Empty, it is the time of the publish. */
export function DateField(props: {
  id: string;
  blog: Pick<Blog, 'state' | 'published_at' | 'publish_at'>;
  error: string | undefined;
  onChange: (date: string | null) => void;
}) {
  const { blog, onChange } = props;
  const before = blog.published_at ?? undefined;
  const [field, setField] = useState(() => toLocalInput(before));
  // A publish sets the date. What was typed since stays.
  const [shown, setShown] = useState(before);
  if (shown !== before) {
    setShown(before);
    if (field === toLocalInput(shown)) setField(toLocalInput(before));
  }
  const at = fromLocalInput(field, before);
  const problem = field === '' ? null : dateProblem(at, blog.state);
  const isAhead = at !== null && problem === null && !isOver(at);
  const ahead = blog.publish_at === null ? text.scheduled : text.goesLive;
  const hint = blog.state === 'published' ? '' : text.hint;
  const set = (value: string) => {
    setField(value);
    const date = fromLocalInput(value, before);
    if (value === '') onChange(null);
    else if (dateProblem(date, blog.state) === null) onChange(date);
  };
  return (
    <TextInput
      id={props.id}
      type="datetime-local"
      label={text.label}
      description={`${isAhead ? ahead : hint} ${common.timesIn(timeZone())}`}
      // Browsers take years of six digits.
      max="9999-12-31T23:59"
      value={field}
      error={problem ?? props.error}
      onChange={(event) => set(event.currentTarget.value)}
      rightSection={field !== '' && <CloseButton size="sm" aria-label={text.clear} onClick={() => set('')} />}
    />
  );
}
