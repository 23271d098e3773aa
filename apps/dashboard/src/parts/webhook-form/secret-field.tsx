import { Button, Group, Stack, Text } from '@mantine/core';
import { Dices } from 'lucide-react';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { CopyText } from '../copy-field.tsx';
import { TextInput } from '../forms/inputs.tsx';
import { checkSecret } from './check-webhook.ts';
import { newSecret } from './new-secret.ts';

/** A signing secret that is typed or generated. It can be read and copied here, and never again. */
export function SecretField(props: {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Whether a webhook may go without one. */
  optional?: boolean;
}) {
  const { value, onChange, optional = false } = props;
  return (
    <Stack gap={4}>
      <TextInput
        label={text.secret}
        description={text.secretHint}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={checkSecret(value) ?? props.error}
        maxLength={1024}
        autoComplete="off"
        spellCheck={false}
      />
      <Group gap="xs" mt={4}>
        <Button size="xs" variant="default" leftSection={<Dices />} onClick={() => onChange(newSecret())}>
          {text.generate}
        </Button>
        {value !== '' && <CopyText value={value} what={text.secret} />}
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {value === '' ? optional && text.noSecret : text.secretOnce}
      </Text>
    </Stack>
  );
}
