import { useEffect, useRef } from 'react';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { TextInput } from '../forms/inputs.tsx';
import type { DestinationKind } from './destination-request.ts';

/** The URL of a receiver or of a system; absent for a system with one URL for all. */
export function AddressField(props: {
  kind: 'webhook' | DestinationKind;
  url: string;
  /** Whether typing begins here, over what is there. */
  focused?: boolean;
  onChange: (url: string) => void;
  error: string | null;
}) {
  const { kind, url, focused = false, onChange, error } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) field.current?.select();
  }, [focused]);
  const hint = kind === 'webhook' ? text.urlHint : destinations[kind].urlHint;
  if (hint === null) return null;
  return (
    <TextInput
      ref={field}
      // A dialog focuses it after it has opened.
      data-autofocus={focused || undefined}
      label={text.url}
      description={hint}
      placeholder="https://"
      inputMode="url"
      required
      maxLength={2048}
      value={url}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      autoComplete="off"
    />
  );
}
