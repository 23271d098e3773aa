import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getImportReport } from '../../generated/sdk.gen.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { fileNameOf, saveFile } from './save-file.ts';

/** Saves what became of each file of an import, and what its post lost. */
export function ReportButton({ importId, when }: { importId: string; when: string }) {
  const { id: projectId } = useProject();
  const download = useMutation({
    mutationFn: async () => {
      const { data, response } = await getImportReport({
        path: { projectId, importId },
        parseAs: 'text',
        throwOnError: true,
      });
      const report = new Blob([data], { type: 'text/plain;charset=utf-8' });
      saveFile(report, fileNameOf(response) ?? 'import-report.txt');
    },
    onError: (error) => notify.failed(error),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={download.isPending}
      aria-label={`${text.report}: ${when}`}
      onClick={() => download.mutate()}
    >
      {text.report}
    </Button>
  );
}
