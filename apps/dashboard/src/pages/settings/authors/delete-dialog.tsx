import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countBlogsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Author } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../../parts/notify.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { authors as text } from '../../../strings/writing/authors.ts';

/** Asks before an author is deleted, and says how many posts will stop showing them. */
export function DeleteDialog(props: {
  author: Author;
  onDelete: (authorId: string) => Promise<void>;
  onClose: () => void;
}) {
  const { id, name, slug, former_slugs: formerSlugs } = props.author;
  // Posts that were saved before a rename name the slug of before.
  const slugOfPosts = formerSlugs.length === 0 ? slug : null;
  const { id: projectId } = useProject();
  const counts = useQuery(countBlogsOptions({ path: { projectId }, query: { author: slug } }));
  return (
    <ConfirmDialog
      opened
      danger
      title={text.deleteTitle(name)}
      confirm={text.deleteConfirm}
      onConfirm={async () => {
        await props.onDelete(id);
        notify.done(text.deleted);
      }}
      onClose={props.onClose}
    >
      <Text size="sm">{text.deleteText}</Text>
      <QueryProblem query={counts} />
      {counts.data && <Text size="sm">{text.deletePosts(counts.data.total, slugOfPosts)}</Text>}
    </ConfirmDialog>
  );
}
