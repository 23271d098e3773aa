import { destinations } from '../../strings/sites/destinations.ts';
import { Checkbox } from '@mantine/core';
import { PasswordInput, TextInput } from '../forms/inputs.tsx';
import { Advanced } from './advanced.tsx';
import { CHOSEN, type DestinationKind, type DestinationParts, type TypedSettings } from './destination-request.ts';

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
      <PasswordInput
        data-autofocus={text.urlHint === null || undefined}
        label={text.secret}
        description={text.secretHint}
        required
        maxLength={500}
        value={parts.secret}
        onChange={({ currentTarget }) => onChange({ ...parts, secret: currentTarget.value })}
        error={refused['secret']}
        autoComplete="off"
      />
      <SettingFields
        kind={kind}
        typed={parts.settings}
        onChange={(settings) => onChange({ ...parts, settings })}
        refused={refused}
      />
    </>
  );
}

/** The settings of a destination besides its URL and credential; optional ones are folded away. */
export function SettingFields(props: {
  kind: DestinationKind;
  typed: TypedSettings;
  onChange: (typed: TypedSettings) => void;
  refused: Readonly<Record<string, string>>;
}) {
  const { kind, typed, onChange, refused } = props;
  const fields: readonly { name: string; label: string; hint: string; required: boolean }[] =
    destinations[kind].settings;
  const inputs = (isRequired: boolean) =>
    fields
      .filter(({ required }) => required === isRequired)
      .map(({ name, label, hint, required }) => (
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
  const optional = fields.filter(({ required }) => !required);
  return (
    <>
      {inputs(true)}
      {kind === 'wordpress' && (
        <Checkbox
          label={destinations.wordpress.createAuthors}
          description={destinations.wordpress.createAuthorsHint}
          checked={typed['create_authors'] === CHOSEN}
          onChange={({ currentTarget }) => onChange({ ...typed, create_authors: currentTarget.checked ? CHOSEN : '' })}
        />
      )}
      {optional.length > 0 && (
        <Advanced opened={optional.some(({ name }) => (typed[name] ?? '') !== '')} title={destinations.optional}>
          {inputs(false)}
        </Advanced>
      )}
    </>
  );
}
