import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { getBlog } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { nameOfField } from '../field-names.ts';
import { HtmlFrame } from '../preview/html-frame.tsx';
import type { SaveQueue } from '../saving/save-queue.ts';

const text = strings.conflict;

/** Both versions side by side; nothing is saved or lost until a person chooses. */
export function ConflictDialog(props: { blog: Blog; queue: SaveQueue<Blog>; onTaken: (theirs: Blog) => void }) {
  const { blog, queue } = props;
  const queries = useQueryClient();
  const [mine] = useState(() => queue.unsaved);
  const path = { projectId: blog.project_id, blogId: blog.id };
  const theirs = useQuery({
    queryKey: ['conflict', blog.id, queue.version],
    queryFn: async () => (await getBlog({ path, throwOnError: true })).data,
    staleTime: 0,
    gcTime: 0,
  });
  const keepMine = async (other: Blog) => {
    queue.keepMine(other.version);
    if (!(await queue.flush())) return;
    // What this tab did not change is theirs now, and its fields show that.
    const saved = queries.getQueryData<Blog>(getBlogQueryKey({ path }));
    if (saved?.version === queue.version && queue.state.kind === 'saved') props.onTaken(saved);
  };
  return (
    <Dialog opened onClose={() => undefined} closable={false} title={text.title} size="90rem">
      <Stack>
        <Text size="sm">{text.text}</Text>
        {theirs.isPending && <p role="status">{text.loading}</p>}
        <QueryProblem query={theirs} />
        {theirs.data && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Version name={text.mine} fields={mine} />
              <Version
                name={text.theirs}
                fields={Object.fromEntries(Object.keys(mine).map((field) => [field, valueOf(theirs.data, field)]))}
              />
            </SimpleGrid>
            <Group justify="flex-end" align="flex-start">
              <Choice hint={text.keepMineHint} name={text.keepMine} onChoose={() => void keepMine(theirs.data)} />
              <Choice hint={text.takeTheirsHint} name={text.takeTheirs} onChoose={() => props.onTaken(theirs.data)} />
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}

const valueOf = (blog: Blog, field: string): unknown => blog[field as keyof Blog];

function Version({ name, fields }: { name: string; fields: Readonly<Record<string, unknown>> }) {
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Title order={2} size="h4">
        {name}
      </Title>
      {Object.entries(fields).map(([field, value]) =>
        field === 'content' ? (
          <HtmlFrame key={field} title={`${name}: ${nameOfField(field)}`} html={textOf(value)} height="45vh" />
        ) : (
          <Text key={field} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{nameOfField(field)}</b>: {textOf(value)}
          </Text>
        ),
      )}
    </Stack>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}

function Choice({ hint, name, onChoose }: { hint: string; name: string; onChoose: () => void }) {
  return (
    <Stack gap={4} style={{ flex: '1 1 220px' }}>
      <Button variant="default" onClick={onChoose}>
        {name}
      </Button>
      <Text size="xs">{hint}</Text>
    </Stack>
  );
}
