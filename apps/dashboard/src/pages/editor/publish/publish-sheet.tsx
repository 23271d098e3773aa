import { useState } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import type { DateChoice } from '../../../parts/publication-date/keep-or-now.tsx';
import { posts } from '../../../strings/posts.ts';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import type { NotSaved } from '../saving/use-not-saved.ts';
import { PublishForm } from './publish-form.tsx';
import { PublishLive } from './publish-live.tsx';

/** From the Publish button to “It’s live”, in one sheet. */
export function PublishSheet(props: {
  blog: Blog;
  title: string;
  html: string;
  hasUnsaved: boolean;
  notSaved: readonly NotSaved[];
  /** Publishes the post; answers the publish, or null where it was scheduled. */
  onPublish: (choice: DateChoice) => Promise<string | null>;
  onSchedule: (at: string) => Promise<void>;
  onFix: (field: string) => void;
  onClose: () => void;
}) {
  const { blog, onClose } = props;
  const [publishId, setPublishId] = useState<string | null>(null);
  // Once it is published it would be an update.
  const [isUpdate] = useState(blog.state === 'published');
  const title = props.title.trim() || posts.newPostTitle;
  return (
    <Dialog opened onClose={onClose} title={isUpdate ? text.updateTitle : text.title} size="40rem">
      {publishId === null ? (
        <PublishForm
          {...props}
          onPublish={async (choice) => {
            const id = await props.onPublish(choice);
            if (id === null) onClose();
            else setPublishId(id);
          }}
          onSchedule={async (at) => {
            await props.onSchedule(at);
            onClose();
          }}
        />
      ) : (
        <PublishLive blog={blog} title={title} publishId={publishId} onClose={onClose} />
      )}
    </Dialog>
  );
}
