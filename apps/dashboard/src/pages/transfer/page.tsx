import { SettingsFrame } from '../../parts/settings/settings-frame.tsx';
import { Section } from '../../parts/section.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { ExportArchive } from './export-archive.tsx';
import { ImportArchive } from './import-archive.tsx';
import { ImportRuns } from './import-runs.tsx';

export function Page() {
  return (
    <SettingsFrame title={text.title}>
      <Section title={text.import}>
        <ImportArchive />
      </Section>
      <Section title={text.runs}>
        <ImportRuns />
      </Section>
      <Section title={text.export}>
        <ExportArchive />
      </Section>
    </SettingsFrame>
  );
}
