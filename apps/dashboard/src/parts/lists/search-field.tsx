import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** Keeps what is being typed; the address follows when typing rests. */
export function SearchField(props: {
  label: string;
  hint: string;
  given: string;
  onSearch: (q: string) => void;
  icon?: ReactNode;
  /** The icon and the hint say it to those who see them. */
  isLabelHidden?: boolean;
}) {
  const { given, onSearch } = props;
  const [typed, setTyped] = useState(given);
  const sent = useRef(given);
  useEffect(() => {
    // Another address, such as by “Show all posts”; not the one that follows from typing, which may go on meanwhile.
    if (given !== sent.current) setTyped(given);
    sent.current = given;
  }, [given]);
  return (
    <TextInput
      type="search"
      {...(props.isLabelHidden ? { 'aria-label': props.label } : { label: props.label })}
      leftSection={props.icon}
      placeholder={props.hint}
      maxLength={200}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        sent.current = event.currentTarget.value.trim();
        onSearch(sent.current);
      }}
      style={{ flex: '1 1 200px' }}
    />
  );
}
