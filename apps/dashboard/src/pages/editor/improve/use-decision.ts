import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { acceptProposal, getBlog, rejectProposal } from '../../../generated/sdk.gen.ts';
import type { Blog, ProposalItem } from '../../../generated/types.gen.ts';
import { notify } from '../../../parts/notify.ts';
import { editor as strings } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ifMatch } from '../saving/use-saving.ts';

const text = strings.improve;

/** Accepts or dismisses a proposal, with the state of the request; `onDecided` is called when it is done. */
export function useDecision(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  proposalId: string;
  onAccepted: (blog: Blog) => void;
  onDecided: () => void;
}) {
  const { blog, queue } = props;
  const path = { projectId: blog.project_id, proposalId: props.proposalId };
  const blogPath = { projectId: blog.project_id, blogId: blog.id };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });

  const decide = async (act: () => Promise<void>) => {
    setSending({ running: true, error: null });
    try {
      await act();
      props.onDecided();
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  /** `choice` is the number of what is chosen, from 0, where there are choices. */
  const accept = (choice?: number) =>
    decide(async () => {
      const { accepted, changed } = await queue.run(async (version) => {
        const answer = await acceptProposal({
          path,
          body: choice === undefined ? {} : { choice },
          headers: ifMatch(version),
          throwOnError: true,
        });
        const read = await getBlog({ path: blogPath, throwOnError: true });
        return { result: { accepted: answer.data, changed: read.data }, version: read.data.version };
      });
      queries.setQueryData(getBlogQueryKey({ path: blogPath }), changed);
      await show(accepted, changed);
    });
  const show = async ({ new_blog_id: newBlogId }: ProposalItem, changed: Blog) => {
    notify.done(newBlogId === null ? text.accepted : text.translated);
    if (newBlogId === null) props.onAccepted(changed);
    else {
      await navigate({
        to: '/projects/$projectId/posts/$blogId',
        params: { projectId: blog.project_id, blogId: newBlogId },
      });
    }
  };
  const reject = () =>
    decide(async () => {
      await rejectProposal({ path, throwOnError: true });
      notify.done(text.rejected);
    });
  return { accept, reject, sending };
}
