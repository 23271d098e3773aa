import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DataField } from '../../../generated/types.gen.ts';
import { fieldErrors } from '../../../parts/explain-error.ts';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';
import { idOfField } from '../field-names.ts';
import type { OnUnfinished } from '../saving/use-not-saved.ts';
import { PostControl } from './post-control.tsx';
import { fits, readTyped, typedOf, withValue } from './read-typed.ts';

interface Control {
  readonly field: DataField;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onUnfinished: OnUnfinished;
}

/** A control for each data field of the project. */
export function DataControls(props: {
  blogId: string;
  fields: readonly DataField[];
  data: Readonly<Record<string, unknown>>;
  /** Why the data was refused. */
  refused: unknown;
  onUnfinished: OnUnfinished;
  onChange: (data: Record<string, unknown>) => void;
}) {
  const { fields, data, refused, onChange } = props;
  const refusals = refused === undefined ? {} : fieldErrors(refused);
  const declared = new Set(fields.map(({ name }) => name));
  const undeclared = Object.keys(data).filter((name) => !declared.has(name));
  return (
    <Stack id={idOfField('data')} tabIndex={-1} gap="sm">
      {fields.length === 0 && <NoFields />}
      {fields.map((field) => {
        const control = {
          field,
          value: data[field.name],
          error: errorOf(field.name, refusals) ?? (fits(field, data[field.name]) ? undefined : text.misfit),
          onChange: (value: unknown) => onChange(withValue(data, field.name, value)),
        };
        return field.kind === 'post' ? (
          <PostControl key={field.name} {...control} blogId={props.blogId} />
        ) : (
          <ValueControl key={field.name} {...control} onUnfinished={props.onUnfinished} />
        );
      })}
      {refusals['data'] !== undefined && (
        <Text size="sm" c="red" role="alert">
          {text.all}: {refusals['data']}
        </Text>
      )}
      {undeclared.length > 0 && (
        <Text size="xs" c="dimmed">
          {text.undeclared(undeclared)}
        </Text>
      )}
    </Stack>
  );
}

function NoFields() {
  const { id: projectId } = useProject();
  return (
    <Text size="sm">
      {text.noFields}{' '}
      {useIsOwner() ? (
        <PageLink to="/projects/$projectId/settings/data" params={{ projectId }} size="sm">
          {text.addFields}
        </PageLink>
      ) : (
        text.emptyForEditors
      )}
    </Text>
  );
}

/** What is refused of a value, with the path inside of it. */
function errorOf(name: string, refusals: Readonly<Record<string, string>>): string | undefined {
  const at = `data.${name}`;
  const said = Object.entries(refusals).flatMap(([path, message]) => {
    if (path === at) return message;
    return path.startsWith(`${at}.`) ? `${path.slice(at.length + 1)}: ${message}` : [];
  });
  return said.join(' ') || undefined;
}

function ValueControl(props: Control) {
  const { field, value, error, onChange } = props;
  const common = { label: field.label, description: field.help || undefined, error };
  if (field.kind === 'boolean') {
    return (
      <Checkbox {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    );
  }
  if (field.kind !== 'choice') return <TypedControl {...props} />;
  const stored = typeof value === 'string' ? value : '';
  const choices = field.choices.includes(stored) || stored === '' ? field.choices : [...field.choices, stored];
  return (
    <NativeSelect
      {...common}
      value={stored}
      data={[{ value: '', label: text.noChoice }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Saved as far as what is typed is a value. */
function TypedControl({ field, value, error, onChange, onUnfinished }: Control) {
  const { kind, name, label } = field;
  const id = `data.${name}`;
  const [typed, setTyped] = useState(() => typedOf(kind, value));
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    if (wrong === undefined) return undefined;
    onUnfinished(id, { name: label, reason: wrong });
    return () => onUnfinished(id, null);
  }, [id, label, wrong, onUnfinished]);
  const control = {
    id: idOfField(id),
    label,
    description: field.help || undefined,
    error: wrong ?? error,
    value: typed,
    onChange: ({ currentTarget: { value: now } }: { currentTarget: { value: string } }) => {
      setTyped(now);
      const read = readTyped(kind, now);
      setWrong('wrong' in read ? read.wrong : undefined);
      if ('value' in read) onChange(read.value);
    },
  };
  if (kind === 'text') return <Textarea {...control} autosize minRows={1} maxRows={8} />;
  if (kind === 'json') {
    const font = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
    return <Textarea {...control} autosize minRows={3} maxRows={12} spellCheck={false} styles={font} />;
  }
  const types = { number: 'text', url: 'url', date: 'date' } as const;
  const modes = { number: 'decimal', url: 'url', date: 'none' } as const;
  const isKnown = kind === 'number' || kind === 'url' || kind === 'date';
  return <TextInput {...control} {...(isKnown && { type: types[kind], inputMode: modes[kind] })} />;
}
