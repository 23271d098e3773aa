import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { checkIndexNowMutation, turnOnIndexNowMutation } from '../../generated/@tanstack/react-query.gen.ts';
import { turnOffIndexNow } from '../../generated/sdk.gen.ts';
import type { IndexNow, IndexNowCheck } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { indexNow as text } from '../../strings/sites/index-now.ts';
import { useIndexNow } from './use-index-now.ts';

/** Whether search engines are pinged, what the site needs for that, and the result of the last ping. */
export function SearchEngines() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const found = useIndexNow(projectId);
  const queries = useQueryClient();
  const turnOn = useMutation({
    ...turnOnIndexNowMutation(),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [{ _id: 'getIndexNow' }] });
      notify.done(text.turnedOn);
    },
  });
  return (
    <Section title={text.title}>
      <Text size="sm" c="dimmed">
        {text.intro}
      </Text>
      <ToCome query={found} />
      {found.data === null && (
        <>
          <Text size="sm">{isOwner ? text.off : text.offEditor}</Text>
          <OwnersOnly>
            <Group>
              <Button
                size="xs"
                variant="default"
                loading={turnOn.isPending}
                onClick={() => turnOn.mutate({ path: { projectId } })}
              >
                {text.turnOn}
              </Button>
            </Group>
          </OwnersOnly>
          {turnOn.error && <Problem error={turnOn.error} />}
        </>
      )}
      {found.data && <TurnedOn indexNow={found.data} />}
    </Section>
  );
}

function TurnedOn({ indexNow }: { indexNow: IndexNow }) {
  const { project_id: projectId, key, file_name: fileName, file_url: fileUrl } = indexNow;
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const check = useMutation({
    ...checkIndexNowMutation(),
    onSuccess: () => queries.invalidateQueries({ queryKey: [{ _id: 'getIndexNow' }] }),
  });
  const turnOff = async () => {
    await turnOffIndexNow({ path: { projectId }, throwOnError: true });
    await queries.resetQueries({ queryKey: [{ _id: 'getIndexNow' }] });
    notify.done(text.turnedOff);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{text.keyFile}</Text>
      <CopyField value={fileName} what={text.fileName} />
      <CopyField value={key} what={text.key} />
      {fileUrl === null ? (
        <Text size="sm">{text.noSite}</Text>
      ) : (
        <Text size="sm">
          {text.where} <Code style={{ overflowWrap: 'anywhere' }}>{fileUrl}</Code>
        </Text>
      )}
      <PingStatus indexNow={indexNow} />
      <OwnersOnly>
        <Group gap="xs">
          {fileUrl !== null && (
            <Button
              size="xs"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate({ path: { projectId } })}
            >
              {text.check}
            </Button>
          )}
          <Button size="xs" variant="light" color="red" onClick={() => setIsAsked(true)}>
            {text.turnOff}
          </Button>
        </Group>
      </OwnersOnly>
      <div role="status">
        {check.isPending && <Text size="sm">{text.checking}</Text>}
        {check.data && !check.isPending && <Checked result={check.data} />}
      </div>
      {check.error && <Problem error={check.error} />}
      <ConfirmDialog
        opened={isAsked}
        title={text.turnOffTitle}
        confirm={text.turnOffConfirm}
        danger
        onConfirm={turnOff}
        onClose={() => setIsAsked(false)}
      >
        <Text size="sm">{text.turnOffText}</Text>
      </ConfirmDialog>
    </Stack>
  );
}

/** Whether the key file was found, what waits, and the result of the last ping. */
function PingStatus({ indexNow }: { indexNow: IndexNow }) {
  const { waiting, last_ping: ping } = indexNow;
  return (
    <Stack gap={4}>
      <KeyFile indexNow={indexNow} />
      {waiting > 0 && <Text size="sm">{text.waiting(waiting)}</Text>}
      {ping === null ? (
        <Text size="sm">{text.none}</Text>
      ) : (
        <Text size="sm">
          {text.last[ping.status](ping.addresses)} <When iso={ping.at} />. {ping.detail}
        </Text>
      )}
    </Stack>
  );
}

function KeyFile({
  indexNow: { file_seen_at: seenAt, file_tried_at: triedAt, file_detail: detail },
}: {
  indexNow: IndexNow;
}) {
  if (seenAt !== null) {
    return (
      <Text size="sm">
        {text.found} <When iso={seenAt} />.
      </Text>
    );
  }
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {triedAt === null ? (
        text.notTried
      ) : (
        <>
          {text.notFound} <When iso={triedAt} />. {detail}
        </>
      )}
    </Text>
  );
}

function Checked({ result: { succeeded, detail } }: { result: IndexNowCheck }) {
  return (
    <Notice
      role="group"
      kind={succeeded ? 'success' : 'warning'}
      title={succeeded ? text.checkWorked : text.checkFailed}
    >
      {detail !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
    </Notice>
  );
}
