import { Button, Group, Input, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getBlogOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { DataField } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { LanguageBadge } from '../../../parts/languages/language-badge.tsx';
import { ChoosePost } from '../../../parts/posts/choose-post.tsx';
import { PostState } from '../../../parts/posts/post-state.tsx';
import { useProject } from '../../../parts/project.tsx';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';

/** A reference to a post, which is searched for in a dialog. */
export function PostControl(props: {
  blogId: string;
  field: DataField;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}) {
  const { field, onChange } = props;
  const [isChoosing, setChoosing] = useState(false);
  const id = (props.value as { post_id?: string } | undefined)?.post_id;
  return (
    <Input.Wrapper
      label={field.label}
      description={field.help || undefined}
      error={props.error}
      labelElement="div"
      role="group"
      aria-label={field.label}
    >
      {id !== undefined && <ChosenPost id={id} />}
      {typeof props.value === 'string' && <Text size="sm">{text.laterPost(props.value)}</Text>}
      <Group gap="xs" mt={4}>
        <Button
          size="xs"
          variant="default"
          aria-label={`${id === undefined ? text.choosePost : text.changePost}: ${field.label}`}
          onClick={() => setChoosing(true)}
        >
          {id === undefined ? text.choosePost : text.changePost}
        </Button>
        {props.value !== undefined && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${text.removePost}: ${field.label}`}
            onClick={() => onChange(undefined)}
          >
            {text.removePost}
          </Button>
        )}
      </Group>
      {isChoosing && (
        <Dialog opened title={field.label} onClose={() => setChoosing(false)}>
          <ChoosePost
            blogId={props.blogId}
            label={field.label}
            confirm={text.usePost}
            unpublished={text.unpublishedPost}
            onChoose={(post) => {
              onChange({ post_id: post.id });
              setChoosing(false);
            }}
          />
        </Dialog>
      )}
    </Input.Wrapper>
  );
}

function ChosenPost({ id }: { id: string }) {
  const { id: projectId } = useProject();
  const post = useQuery({ ...getBlogOptions({ path: { projectId, blogId: id } }), retry: false });
  if (post.isPending) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {post.data === undefined ? (
        text.missingPost
      ) : (
        <>
          {post.data.title}
          <LanguageBadge language={post.data.language} /> <PostState post={post.data} />
        </>
      )}
    </Text>
  );
}
