import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../../parts/loading.tsx';
import { getGenerationSettingsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { When } from '../../../parts/when.tsx';
import { modelTest as testText, settings as text } from '../../../strings/settings.ts';
import { ModelForm } from './model-form.tsx';

/** Which model writes, what it has cost this month, and a form to change it. */
export function ModelSettings() {
  const { id: projectId } = useProject();
  const settings = useQuery(getGenerationSettingsOptions({ path: { projectId } }));
  if (settings.error) return <QueryProblem query={settings} />;
  if (settings.data === undefined) return <Loading />;
  const { writer, effective, month } = settings.data;
  return (
    <>
      <Text size="sm">{text.modelText}</Text>
      <Text size="sm" fw={600}>
        {writer === 'offline' ? text.writers.offline : text.writers[writer](effective.model ?? '')}
      </Text>
      <Text size="sm">
        {text.month(
          month.cost.toLocaleString(),
          effective.month_budget.toLocaleString(),
          month.tokens.toLocaleString(),
          effective.month_tokens.toLocaleString(),
        )}{' '}
        {text.renews} <When iso={month.renews_at} />.
      </Text>
      <div>
        <Text size="sm" fw={600}>
          {testText.needs}
        </Text>
        <Text size="sm">
          {testText.needsText} {testText.needsPictures}
        </Text>
      </div>
      <ModelForm settings={settings.data} />
    </>
  );
}
