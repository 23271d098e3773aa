import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getProjectQuotasOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { formatBytes } from '../../../parts/images/format-bytes.ts';
import { Notice } from '../../../parts/looks/notice.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { Section } from '../../../parts/section.tsx';
import { When } from '../../../parts/when.tsx';
import { quotas as text } from '../../../strings/quotas.ts';
import { nearLimit, percentOf, type QuotaUse } from './near-limit.ts';

const labelOf = ({ name, of }: QuotaUse) => (of === 'project' ? text.names[name] : text.ofOwner(text.names[name]));
const amount = ({ name }: QuotaUse, value: number) =>
  name === 'storage_bytes' ? formatBytes(value) : new Intl.NumberFormat().format(value);
const listed = (uses: readonly QuotaUse[]) => new Intl.ListFormat('en').format(uses.map(labelOf));

/** What the project uses, and how much the administrator allows. */
export function Usage() {
  const { id: projectId } = useProject();
  const query = useQuery(getProjectQuotasOptions({ path: { projectId } }));
  return (
    <Section title={text.usage}>
      <QueryProblem query={query} />
      {query.data && (
        <>
          <LimitNotice uses={query.data.quotas} />
          <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={text.usage}>
            {query.data.quotas.map((use, index) => (
              // An account's quota has no id here.
              // oxlint-disable-next-line react/no-array-index-key
              <Use key={index} use={use} />
            ))}
          </Stack>
          {query.data.quotas.some(({ name, allowed }) => name === 'publishes_per_day' && allowed !== null) && (
            <Text size="sm" c="dimmed" component="div">
              {text.resets} <When iso={query.data.resets_at} />.{' '}
              {query.data.held_publishes > 0 && text.held(query.data.held_publishes)}
            </Text>
          )}
        </>
      )}
    </Section>
  );
}

function LimitNotice({ uses }: { uses: readonly QuotaUse[] }) {
  const { full, near } = nearLimit(uses);
  if (full.length === 0 && near.length === 0) return null;
  return (
    <Notice kind="warning" role="group" title={full.length > 0 ? text.full(listed(full)) : text.near(listed(near))}>
      {full.length > 0 && near.length > 0 && <div>{text.near(listed(near))}</div>}
      {text.fullText}
    </Notice>
  );
}

function Use({ use }: { use: QuotaUse }) {
  const percent = percentOf(use);
  const used = amount(use, use.used);
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{labelOf(use)}</Text>
        <Text size="sm">{use.allowed === null ? used : text.used(used, amount(use, use.allowed))}</Text>
      </Group>
      {percent !== null && <Progress mt={4} value={percent} aria-label={labelOf(use)} />}
    </li>
  );
}
