import { PasswordInput, Text, TextInput } from '@mantine/core';
import { destinations } from '../../strings/sites/webhooks.ts';
import type { DestinationKind, DestinationParts } from './destination-request.ts';

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
      {text.settings.map(({ name, label, hint, required }) => (
        <TextInput
          key={name}
          label={label}
          description={hint}
          required={required}
          maxLength={200}
          value={parts.settings[name] ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...parts, settings: { ...parts.settings, [name]: currentTarget.value } })
          }
          error={refused[`settings.${name}`]}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
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
