import { NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { TextInput } from '../forms/inputs.tsx';
import { languages as text } from '../../strings/writing/languages.ts';
import { canonicalTag, languageChoices } from './language-names.ts';

const OTHER = 'other';

/** Chooses a language: a common one from a list, any other by its tag. */
export function LanguageSelect(props: {
  id?: string;
  label: string;
  empty: string;
  value: string | null;
  /** Those that are not on offer. */
  without?: ReadonlySet<string>;
  error?: ReactNode;
  onChange: (tag: string | null) => void;
}) {
  const { value, onChange } = props;
  /** What is typed; null while the list is enough. */
  const [typed, setTyped] = useState<string | null>(null);
  const isInvalid = typed !== null && typed !== '' && canonicalTag(typed) === null;
  return (
    <>
      <NativeSelect
        id={props.id}
        label={props.label}
        error={typed === null && props.error}
        value={typed === null ? (value ?? '') : OTHER}
        onChange={({ currentTarget: { value: chosen } }) => {
          setTyped(chosen === OTHER ? '' : null);
          if (chosen !== OTHER) onChange(chosen === '' ? null : chosen);
        }}
        data={[
          { value: '', label: props.empty },
          ...languageChoices(value, props.without),
          { value: OTHER, label: text.other },
        ]}
      />
      {typed !== null && (
        <TextInput
          label={text.tag}
          description={text.tagHint}
          value={typed}
          error={isInvalid ? text.tagInvalid : props.error}
          autoFocus
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            const tag = canonicalTag(event.currentTarget.value);
            if (tag !== null) onChange(tag);
          }}
        />
      )}
    </>
  );
}
