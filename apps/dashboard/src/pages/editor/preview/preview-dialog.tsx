import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import type { LatestContent } from '../saving/latest-content.ts';
import { PreviewPanel } from './preview-panel.tsx';
import type { LinkingPost } from './use-linked-posts.ts';

const text = strings.preview;

/** The post as readers get it, as wide as their screens. */
export function PreviewDialog(props: {
  blog: LinkingPost;
  hero: string | null;
  title: string;
  content: LatestContent;
  onClose: () => void;
}) {
  const [width, setWidth] = useState<'wide' | 'phone'>('wide');
  return (
    <Dialog opened onClose={props.onClose} title={text.title} size="64rem">
      <Stack gap="md">
        <SegmentedControl
          aria-label={text.width}
          value={width}
          onChange={setWidth}
          data={[
            { value: 'wide', label: text.wide },
            { value: 'phone', label: text.phone },
          ]}
          style={{ alignSelf: 'center' }}
        />
        <PreviewPanel
          blog={props.blog}
          hero={props.hero}
          title={props.title}
          content={props.content}
          maxWidth={width === 'wide' ? '100%' : '390px'}
        />
      </Stack>
    </Dialog>
  );
}
