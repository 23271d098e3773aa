import { Button, Code, CopyButton, Group } from '@mantine/core';
import { common } from '../strings/common.ts';

/** Text to copy, with its button. `what` names it for who does not see it. */
export function CopyField({ value, shown = value, what }: { value: string; shown?: string; what: string }) {
  return (
    <Group gap="xs" wrap="wrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{shown}</Code>
      <CopyText value={value} what={what} />
    </Group>
  );
}

export function CopyText({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          onClick={copy}
          aria-label={`${copied ? common.copied : common.copy}: ${what}`}
        >
          <span aria-live="polite">{copied ? common.copied : common.copy}</span>
        </Button>
      )}
    </CopyButton>
  );
}
