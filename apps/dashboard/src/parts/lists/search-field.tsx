import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../forms/inputs.tsx';

/** Keeps the text as it is typed; the URL follows after a pause. */
export function SearchField(props: { label: string; hint: string; given: string; onSearch: (q: string) => void }) {
  const { given, onSearch } = props;
  const [typed, setTyped] = useState(given);
  const sent = useRef(given);
  useEffect(() => {
    // Another URL, such as after “Show all posts”; not the one that follows from typing.
    if (given !== sent.current) setTyped(given);
    sent.current = given;
  }, [given]);
  return (
    <TextInput
      type="search"
      aria-label={props.label}
      leftSection={<Search />}
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
