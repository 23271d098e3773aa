import { Text } from '@mantine/core';

/** Beside what shows no error of its own: what the form says of a field that was overtaken. */
export function Overtaken({ said }: { said: string | undefined }) {
  return (
    said !== undefined && (
      <Text size="sm" c="var(--mantine-color-error)" role="status">
        {said}
      </Text>
    )
  );
}
