import { PasswordInput, Text, TextInput } from '@mantine/core';
import { destinations } from '../../strings/sites/webhooks.ts';
import type { DestinationKind, DestinationParts, TypedSettings } from './destination-request.ts';

/** The credential and the settings of a system, by its description. */
export function DestinationFields(props: {
  kind: DestinationKind;
  parts: DestinationParts;
  onChange: (parts: DestinationParts) => void;
  refused: Readonly<Record<string, string>>;
}) {
  const { kind, parts, onChange, refused } = props;
  const text = destinations[kind];
  return (
    <>
      <Text size="sm">{text.intro}</Text>
      <SettingFields
        kind={kind}
        typed={parts.settings}
        onChange={(settings) => onChange({ ...parts, settings })}
        refused={refused}
      />
      <PasswordInput
        label={text.secret}
        description={text.secretHint}
        required
        maxLength={500}
        value={parts.secret}
        onChange={({ currentTarget }) => onChange({ ...parts, secret: currentTarget.value })}
        error={refused['secret']}
        autoComplete="off"
      />
    </>
  );
}

/** What a system is told besides its address and its credential. */
export function SettingFields(props: {
  kind: DestinationKind;
  typed: TypedSettings;
  onChange: (typed: TypedSettings) => void;
  refused: Readonly<Record<string, string>>;
}) {
  const { kind, typed, onChange, refused } = props;
  return destinations[kind].settings.map(({ name, label, hint, required }) => (
    <TextInput
      key={name}
      label={label}
      description={hint}
      required={required}
      maxLength={200}
      value={typed[name] ?? ''}
      onChange={({ currentTarget }) => onChange({ ...typed, [name]: currentTarget.value })}
      error={refused[`settings.${name}`]}
      autoComplete="off"
      spellCheck={false}
    />
  ));
}
