import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataField } from '../../../generated/types.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { fieldErrors } from '../../../parts/explain-error.ts';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { linesOf } from '../../../parts/forms/lines-of.ts';
import { notify } from '../../../parts/notify.ts';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';
import { emptyForm, fieldOf, formOf, nameFrom, type FieldForm } from './field-request.ts';

const KINDS = Object.entries(text.kinds).map(([value, label]) => ({ value, label }));

/** Adds a field, or changes one. */
export function FieldDialog(props: {
  /** Null for a new one. */
  field: DataField | null;
  /** Its place in the list that is saved. */
  index: number;
  onSave: (field: DataField) => Promise<unknown>;
  onClose: () => void;
}) {
  const { field, index, onSave, onClose } = props;
  const before = field === null ? emptyForm : formOf(field);
  const [form, setForm] = useState<FieldForm>(before);
  const [wrongSchema, setWrongSchema] = useState<string>();
  const set = (change: Partial<FieldForm>) => setForm((typed) => ({ ...typed, ...change }));
  const save = useMutation({
    mutationFn: async (given: DataField) => {
      await onSave(given);
      notify.done(field === null ? text.added : text.saved);
      onClose();
    },
  });
  const refused = save.error === null ? {} : fieldErrors(save.error);
  const wrong = (name: keyof DataField) => {
    const at = `fields.${index}.${name}`;
    const within = Object.entries(refused).flatMap(([path, said]) =>
      path === at || path.startsWith(`${at}.`) ? [[path.slice(at.length + 1), said] as const] : [],
    );
    return within.map(([path, said]) => (path === '' ? said : `${path}: ${said}`)).join(' ') || undefined;
  };
  const setLabel = (label: string) =>
    set({ label, ...(field === null && form.name === nameFrom(form.label) && { name: nameFrom(label) }) });
  const submit = () => {
    const given = fieldOf(form);
    setWrongSchema('wrongSchema' in given ? given.wrongSchema : undefined);
    if ('name' in given) save.mutate(given);
  };
  return (
    <FormDialog
      title={field === null ? text.add : text.editTitle(field.label)}
      confirm={field === null ? text.add : text.save}
      sending={save}
      hasTyped={JSON.stringify(form) !== JSON.stringify(before)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={text.label}
        required
        maxLength={100}
        value={form.label}
        error={wrong('label')}
        onChange={(event) => setLabel(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={text.name}
        description={field !== null && form.name !== field.name ? text.nameChange : text.nameHint}
        required
        maxLength={50}
        value={form.name}
        error={wrong('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={text.kind}
        data={KINDS}
        value={form.kind}
        error={wrong('kind')}
        {...(field !== null && form.kind !== field.kind && { description: text.kindChange })}
        onChange={(event) => set({ kind: event.currentTarget.value as FieldForm['kind'] })}
      />
      {form.kind === 'choice' && (
        <Textarea
          label={text.choices}
          description={hasRemovedChoice(field, form) ? text.choicesChange : text.choicesHint}
          required
          autosize
          minRows={3}
          maxRows={10}
          value={form.choices}
          error={wrong('choices')}
          onChange={(event) => set({ choices: event.currentTarget.value })}
        />
      )}
      {form.kind === 'json' && (
        <Textarea
          label={text.schema}
          description={text.schemaHint}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={form.json_schema}
          error={wrongSchema ?? wrong('json_schema')}
          onChange={(event) => set({ json_schema: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={text.help}
        description={text.helpHint}
        maxLength={300}
        value={form.help}
        error={wrong('help')}
        onChange={(event) => set({ help: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

const hasRemovedChoice = (field: DataField | null, { choices }: FieldForm): boolean => {
  const left = new Set(linesOf(choices));
  return field?.choices.some((choice) => !left.has(choice)) ?? false;
};
