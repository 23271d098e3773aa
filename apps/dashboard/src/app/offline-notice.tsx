import { Alert } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { common } from '../strings/common.ts';

export function OfflineNotice() {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div role="status">
      {!online && (
        <Alert role="group" color="yellow" mb="md">
          {common.offline}
        </Alert>
      )}
    </div>
  );
}
