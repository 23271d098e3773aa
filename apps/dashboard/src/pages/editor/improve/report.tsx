import { List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getGenerationOptions, listGenerationsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { editor as strings } from '../../../strings/editor.ts';
import { NotesUsed } from './notes-used.tsx';

const text = strings.report;

/** What a reviewer should know of a post that was generated; nothing for one that a person began. */
export function Report({ blog: { id, project_id: projectId } }: { blog: Blog }) {
  const made = useQuery(
    listGenerationsOptions({ path: { projectId }, query: { blog_id: id, kind: 'post', limit: 1 } }),
  );
  const generationId = made.data?.items[0]?.id;
  const generation = useQuery({
    ...getGenerationOptions({ path: { projectId, generationId: generationId ?? '' } }),
    enabled: generationId !== undefined,
  });
  const report = generation.data?.report;
  if (report === null || report === undefined) return null;
  return (
    <Stack gap="xs" component="section" aria-label={text.title}>
      <Title order={2} size="h5">
        {text.title}
      </Title>
      {generation.data?.writer === 'offline' ? (
        <Text size="sm">{text.outline}</Text>
      ) : (
        <>
          <Text size="sm">{text.length(report.length.words, report.length.asked)}</Text>
          <Text size="sm">{report.unsupported.length === 0 ? text.allSupported : text.unsupported}</Text>
        </>
      )}
      {report.unsupported.length > 0 && (
        <List size="sm" style={{ overflowWrap: 'anywhere' }}>
          {report.unsupported.map(({ section, sentence, because }) => (
            <List.Item key={`${section} ${sentence}`}>
              <mark>{sentence}</mark> ({section}: {because.map((lack) => text.lacks[lack]).join(', ')})
            </List.Item>
          ))}
        </List>
      )}
      {report.sources.length > 0 && (
        <>
          <Text size="sm">{text.sources}</Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {report.sources.map(({ number, title, status, detail }) => (
              <List.Item key={number}>
                {title}: {text.sourceStatus[status]}
                {detail !== null && `. ${detail}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {report.brand_voice !== null && <NotesUsed use={report.brand_voice} />}
      {report.cut.length > 0 && (
        <>
          <Text size="sm">{text.cut}</Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {report.cut.map((what) => (
              <List.Item key={what}>{what}</List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
