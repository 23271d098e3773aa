import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Dices } from 'lucide-react';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { CopyText } from '../copy-field.tsx';
import { checkSecret } from './check-webhook.ts';
import { newSecret } from './new-secret.ts';

/** A signing secret that is typed or generated. It can be read and copied here, and never again. */
export function SecretField(props: { value: string; onChange: (value: string) => void; error?: string | undefined }) {
  const { value, onChange } = props;
  return (
    <Stack gap={4}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={text.secret}
          description={text.secretHint}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          error={checkSecret(value) ?? props.error}
          maxLength={1024}
          autoComplete="off"
          spellCheck={false}
          style={{ flex: '1 1 200px' }}
        />
        <Button variant="default" leftSection={<Dices />} onClick={() => onChange(newSecret())}>
          {text.generate}
        </Button>
        {value !== '' && <CopyText value={value} what={text.secret} />}
      </Group>
      <Text size="xs" c="dimmed" role="status">
        {value === '' ? text.noSecret : text.secretOnce}
      </Text>
    </Stack>
  );
}
