import { Box } from '@mantine/core';
import { Notice } from '../parts/looks/notice.tsx';
import { useProject } from '../parts/project.tsx';
import { common } from '../strings/common.ts';

/** Says on every page of a suspended project what has stopped, and whom to ask. */
export function SuspensionNotice() {
  const { suspension } = useProject();
  if (suspension === null) return null;
  const { scope, reason } = suspension;
  return (
    <Box mb="md">
      <Notice kind="warning" role="group" title={common.suspended}>
        {common.suspendedText[scope]}
        {reason !== null && <div style={{ overflowWrap: 'anywhere' }}>{common.suspendedReason(reason)}</div>}
      </Notice>
    </Box>
  );
}
