import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getBlogQueryKey, listBacklinksInfiniteOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { getBlog, releaseAlias } from '../../../generated/sdk.gen.ts';
import type { Backlink, Blog } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { LoadMore } from '../../../parts/lists/load-more.tsx';
import { morePages } from '../../../parts/lists/more-pages.ts';
import { ToCome } from '../../../parts/loading.tsx';
import { notify } from '../../../parts/notify.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { OwnersOnly } from '../../../parts/project.tsx';
import { links as text } from '../../../strings/writing/links.ts';

/** What leads to the post: links of other posts, and slugs that it had before. */
export function LinksHere({ blog }: { blog: Blog }) {
  return (
    <Stack gap="lg">
      <Backlinks blog={blog} />
      {blog.aliases.length > 0 && <Aliases blog={blog} />}
    </Stack>
  );
}

function Backlinks({ blog }: { blog: Blog }) {
  const path = { projectId: blog.project_id, blogId: blog.id };
  const list = useInfiniteQuery({ ...listBacklinksInfiniteOptions({ path }), ...morePages(path), staleTime: 0 });
  const posts = list.data?.pages.flatMap(({ items }) => items);
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <section aria-label={text.backlinks}>
      <Stack gap="xs">
        <Title order={2} size="h5">
          {text.backlinks}
        </Title>
        <ToCome query={list} />
        {posts && <Text size="sm">{total === 0 ? text.noBacklinks : text.backlinksOf(total)}</Text>}
        {posts?.map((post) => (
          <Text key={post.blog_id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <PageLink
              to="/projects/$projectId/posts/$blogId"
              params={{ projectId: blog.project_id, blogId: post.blog_id }}
              size="sm"
            >
              {post.title}
            </PageLink>
            {remarkOn(post)}
          </Text>
        ))}
        <LoadMore list={list} />
      </Stack>
    </section>
  );
}

/** Where only the draft or only readers have the link. */
function remarkOn({ in_working_copy: draft, in_published: published }: Backlink): string {
  if (draft && published) return '';
  return ` · ${draft ? text.draftOnly : text.publishedOnly}`;
}

function Aliases({ blog }: { blog: Blog }) {
  const [slug, setSlug] = useState<string | null>(null);
  const queries = useQueryClient();
  const path = { projectId: blog.project_id, blogId: blog.id };
  const release = async (released: string) => {
    await releaseAlias({ path: { ...path, slug: released }, throwOnError: true });
    const { data } = await getBlog({ path, throwOnError: true });
    queries.setQueryData(getBlogQueryKey({ path }), data);
    void queries.invalidateQueries({ queryKey: [{ _id: 'previewRename' }] });
    notify.done(text.released(released));
  };
  return (
    <section aria-label={text.aliases}>
      <Stack gap="xs">
        <Title order={2} size="h5">
          {text.aliases}
        </Title>
        <Text size="sm">{text.aliasesHint}</Text>
        {blog.aliases.map((alias) => (
          <Group key={alias} justify="space-between" gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{alias}</Code>
            <OwnersOnly>
              <Button
                size="compact-sm"
                variant="default"
                style={{ flexShrink: 0 }}
                aria-label={text.releaseOf(alias)}
                onClick={() => setSlug(alias)}
              >
                {text.release}
              </Button>
            </OwnersOnly>
          </Group>
        ))}
      </Stack>
      <ConfirmDialog
        opened={slug !== null}
        onClose={() => setSlug(null)}
        title={text.releaseTitle(slug ?? '')}
        confirm={text.release}
        danger
        onConfirm={() => release(slug ?? '')}
      >
        <Text size="sm">{text.releaseText}</Text>
      </ConfirmDialog>
    </section>
  );
}
