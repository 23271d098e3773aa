import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { usePublicKey } from '../../../api/use-public-key.ts';
import { usePublicPost } from '../../../api/use-public-post.ts';
import { createPublicKey } from '../../../generated/sdk.gen.ts';
import { CodeTabs } from '../../../parts/looks/code-tabs.tsx';
import { notify } from '../../../parts/notify.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { apiAccess } from '../../../strings/sites/api-access.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import { snippets } from '../../api-access/snippets.ts';

/** The snippets that a first site needs. */
const SHOWN = new Set(['JavaScript', 'Astro', 'Next', 'Eleventy', 'Hugo']);

/** With the first post of a project: what sites get of it, and the code that fetches it, with the reader’s own key. */
export function FirstPost({ slug }: { slug: string }) {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const queries = useQueryClient();
  const path = { projectId };
  const key = usePublicKey(projectId);
  const publicKey = key.data?.public_key;
  const post = usePublicPost(projectId, slug, publicKey);
  const make = async () => {
    try {
      await createPublicKey({ path, throwOnError: true });
      await queries.invalidateQueries({ queryKey: [{ _id: 'getPublicKey' }] });
    } catch (error) {
      notify.failed(error);
    }
  };
  return (
    <Stack gap="xs" component="section" aria-label={text.first}>
      <Text fw={600}>{text.first}</Text>
      <QueryProblem query={key} />
      {key.data === null && (
        <>
          <Text size="sm">{text.noKey}</Text>
          {isOwner ? (
            <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => void make()}>
              {text.makeKey}
            </Button>
          ) : (
            <Text size="sm">{text.askOwner}</Text>
          )}
        </>
      )}
      {publicKey !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            {text.firstText}
          </Text>
          <CodeTabs
            key={post.data === undefined ? 'code' : 'post'}
            snippets={[
              ...(post.data === undefined ? [] : [{ name: text.json, code: post.data }]),
              ...snippets(window.location.origin, publicKey).filter(({ name }) => SHOWN.has(name)),
            ]}
            codeHeight={200}
            nameOf={(name) => (name === text.json ? text.jsonOf : apiAccess.snippetOf(name))}
          />
        </>
      )}
    </Stack>
  );
}
