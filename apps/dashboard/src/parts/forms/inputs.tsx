/* oxlint-disable no-restricted-imports -- this file is where they come from */
import {
  PasswordInput as MantinePasswordInput,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type InputWrapperProps,
} from '@mantine/core';
/* oxlint-enable no-restricted-imports */
import { useState, type ComponentProps, type FormEvent } from 'react';
import { common } from '../../strings/common.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/*
 * Mantine's inputs, with one difference: what the browser finds wrong on submit stands below the field, in the words of
 * this product, where the browser would open a bubble of its own. The first such field gets the focus.
 */

export const TextInput = (props: ComponentProps<typeof MantineTextInput>) => (
  <MantineTextInput {...props} {...useFault(props.error)} />
);

export const PasswordInput = (props: ComponentProps<typeof MantinePasswordInput>) => (
  <MantinePasswordInput {...props} {...useFault(props.error)} />
);

export const Textarea = (props: ComponentProps<typeof MantineTextarea>) => (
  <MantineTextarea {...props} {...useFault(props.error)} />
);

/** The field's own error first, else what the browser found wrong, until something else is typed. */
function useFault(error: InputWrapperProps['error']) {
  const [fault, setFault] = useState<string | null>(null);
  return {
    error: error || fault,
    onInput: () => setFault(null),
    onInvalid: (event: FormEvent<Field>) => {
      event.preventDefault();
      const field = event.currentTarget;
      setFault(faultOf(field));
      if (field.form?.querySelector(':invalid:not(fieldset)') === field) field.focus();
    },
  };
}

function faultOf({ validity, type, minLength, validationMessage }: Field): string {
  if (validity.badInput || (validity.valueMissing && type === 'datetime-local')) return common.faults.time;
  if (validity.valueMissing) return common.faults.missing;
  if (validity.tooShort) return common.faults.short(minLength);
  if (validity.typeMismatch) return type === 'email' ? common.faults.email : common.faults.url;
  return validationMessage;
}
