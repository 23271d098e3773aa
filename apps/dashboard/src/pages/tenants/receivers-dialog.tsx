import { Stack, Text } from '@mantine/core';
import type { TenantReceivers } from '../../generated/types.gen.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { When } from '../../parts/when.tsx';
import { tenants as text } from '../../strings/tenants.ts';

/** The failing receivers of a project, the longest failing first. */
export function ReceiversDialog(props: { name: string; found: TenantReceivers; onClose: () => void }) {
  const { receivers, failing } = props.found;
  return (
    <Dialog opened onClose={props.onClose} title={text.failingOf(props.name)}>
      <Stack>
        <Rows label={text.failingOf(props.name)}>
          {receivers.map((receiver) => (
            <Row
              key={receiver.id}
              title={receiver.name}
              note={
                <>
                  {text.failingText(receiver.failed_deliveries)} {text.since} <When iso={receiver.failing_since} />
                </>
              }
            />
          ))}
        </Rows>
        {failing > receivers.length && (
          <Text size="sm" c="dimmed">
            {text.failingMore(failing - receivers.length)}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
}
