import { Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { getImportReport } from '../../generated/sdk.gen.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { fileNameOf, saveFile } from './save-file.ts';

/** Saves the result of each file of an import, and what its post lost. */
export function ReportItem({ importId }: { importId: string }) {
  const { id: projectId } = useProject();
  const download = async () => {
    try {
      const path = { projectId, importId };
      const { data, response } = await getImportReport({ path, parseAs: 'text', throwOnError: true });
      const report = new Blob([data], { type: 'text/plain;charset=utf-8' });
      saveFile(report, fileNameOf(response) ?? 'import-report.txt');
    } catch (error) {
      notify.failed(error);
    }
  };
  return (
    <Menu.Item leftSection={<Download />} onClick={() => void download()}>
      {text.report}
    </Menu.Item>
  );
}
