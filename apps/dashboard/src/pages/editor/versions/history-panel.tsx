import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { diffRevisionOptions, listRevisionsInfiniteOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { getBlog, restoreRevision } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { LoadMore } from '../../../parts/lists/load-more.tsx';
import { morePages } from '../../../parts/lists/more-pages.ts';
import { ToCome } from '../../../parts/loading.tsx';
import { Badge } from '../../../parts/looks/badge.tsx';
import { notify } from '../../../parts/notify.ts';
import { When } from '../../../parts/when.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ifMatch } from '../saving/use-saving.ts';
import { Differences } from './differences.tsx';

const text = strings.history;

interface Context {
  readonly blog: Blog;
  readonly queue: SaveQueue<Blog>;
  readonly onRestored: (blog: Blog) => void;
}

/** What was published, the newest first. */
export function HistoryPanel(context: Context) {
  const { blog } = context;
  const path = { projectId: blog.project_id, blogId: blog.id };
  const list = useInfiniteQuery({
    ...listRevisionsInfiniteOptions({ path }),
    ...morePages(path),
    // A publish elsewhere adds one.
    staleTime: 0,
  });
  const [number, setNumber] = useState<number | null>(null);
  /** A published post serves its newest version. */
  const liveNumber = blog.state === 'published' ? list.data?.pages[0]?.items[0]?.number : undefined;
  const revisions = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Stack gap="sm">
      <ToCome query={list} />
      {revisions?.length === 0 && <Text size="sm">{text.none}</Text>}
      {revisions?.map((revision) => (
        <Stack key={revision.number} gap={2}>
          <Text size="sm">
            <b>{text.number(revision.number)}</b> · <When iso={revision.published_at} exact />{' '}
            {revision.number === liveNumber && <Badge tone="success">{text.live}</Badge>}
          </Text>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {revision.title}
          </Text>
          <Button
            size="xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            aria-label={`${text.number(revision.number)}: ${text.compare}`}
            onClick={() => setNumber(revision.number)}
          >
            {text.compare}
          </Button>
        </Stack>
      ))}
      <LoadMore list={list} />
      {number !== null && <Compare {...context} number={number} onClose={() => setNumber(null)} />}
    </Stack>
  );
}

function sayRestored(number: number, { state, has_unpublished_changes: differs }: Blog): string {
  if (state !== 'published') return text.restoredDraft(number);
  return differs ? text.restoredEdits(number) : text.restoredLive(number);
}

function Compare({ blog, queue, onRestored, number, onClose }: Context & { number: number; onClose: () => void }) {
  const path = { projectId: blog.project_id, blogId: blog.id, number };
  const [isRestoring, setRestoring] = useState(false);
  const diff = useQuery({
    ...diffRevisionOptions({ path, query: {} }),
    staleTime: 0,
    gcTime: 0,
  });
  const hasEdits = blog.has_unpublished_changes || blog.state !== 'published' || queue.state.kind !== 'saved';
  const restore = async () => {
    const restored = await queue.run(async (version) => {
      await restoreRevision({ path, body: { keep_slug: true }, headers: ifMatch(version), throwOnError: true });
      const { data } = await getBlog({ path, throwOnError: true });
      return { result: data, version: data.version };
    });
    notify.done(sayRestored(number, restored));
    onClose();
    onRestored(restored);
  };
  if (isRestoring) {
    return (
      <ConfirmDialog
        opened
        onClose={() => setRestoring(false)}
        title={text.restoreTitle(number)}
        confirm={text.restoreConfirm}
        danger
        onConfirm={restore}
      >
        <Stack gap="xs">
          <Text size="sm">{blog.state === 'published' ? text.restoreLive : text.restoreText}</Text>
          {diff.data?.fields.some(({ field }) => field === 'slug') && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {text.keepsSlug(blog.slug)}
            </Text>
          )}
          {hasEdits && <Text size="sm">{text.losesEdits}</Text>}
        </Stack>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={text.diffTitle(number)} size="60rem">
      <Stack>
        <ToCome query={diff} />
        {diff.data && (
          <Differences
            before={text.number(number)}
            after={text.after}
            legend={text.legend(number)}
            fields={diff.data.fields}
            content={diff.data.content}
          />
        )}
        <Button variant="default" style={{ alignSelf: 'flex-end' }} onClick={() => setRestoring(true)}>
          {text.restore}
        </Button>
      </Stack>
    </Dialog>
  );
}
