import { TextInput } from '@mantine/core';
import { destinations, webhookForm as text } from '../../strings/sites/webhooks.ts';
import type { DestinationKind } from './destination-request.ts';

/** The address of a receiver or of a system; nothing for a system that has one address for everybody. */
export function AddressField(props: {
  kind: 'webhook' | DestinationKind;
  url: string;
  onChange: (url: string) => void;
  error: string | null;
}) {
  const { kind, url, onChange, error } = props;
  const hint = kind === 'webhook' ? text.urlHint : destinations[kind].urlHint;
  if (hint === null) return null;
  return (
    <TextInput
      label={text.url}
      description={hint}
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
