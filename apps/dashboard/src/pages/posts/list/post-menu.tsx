import { Menu } from '@mantine/core';
import { CalendarClock, CalendarX, ExternalLink, EyeOff, Pencil, Send, Tag, Trash2 } from 'lucide-react';
import type { RefObject } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { AnchoredMenu } from '../../../parts/lists/anchored.tsx';
import { useProject } from '../../../parts/project.tsx';
import { posts as strings } from '../../../strings/posts.ts';
import { postAddress } from '../../editor/settings/post-address.ts';
import type { PostAction } from '../actions/what-can-be-done.ts';
import type { LivePost } from '../read-live.ts';

const text = strings.menu;

export interface OpenMenu {
  readonly post: BlogItem;
  readonly button: HTMLElement;
}
export type OnAction = (action: PostAction, post: BlogItem) => void;

/** The menu of the row whose button was pressed. */
export function PostMenu(props: {
  menu: OpenMenu;
  place: RefObject<HTMLElement | null>;
  live: LivePost | undefined;
  onAction: OnAction;
  onOpen: (blogId: string) => void;
  onClose: () => void;
}) {
  const { menu, place, live, onAction, onClose } = props;
  const { post, button } = menu;
  const { site_url: siteUrl } = useProject();
  const isLive = post.state === 'published';
  const url = live?.url ?? (siteUrl === null ? null : postAddress(siteUrl, post.slug));
  const act = (action: PostAction) => () => onAction(action, post);
  return (
    <AnchoredMenu button={button} place={place} label={text.of(post.title)} onClose={onClose}>
      <Menu.Item leftSection={<Pencil />} onClick={() => props.onOpen(post.id)}>
        {text.edit}
      </Menu.Item>
      {isLive && url !== null && (
        <Menu.Item leftSection={<ExternalLink />} component="a" href={url} target="_blank" rel="noopener noreferrer">
          {text.view}
        </Menu.Item>
      )}
      {(!isLive || post.has_unpublished_changes) && (
        <Menu.Item leftSection={<Send />} onClick={act('publish')}>
          {isLive ? text.update : text.publish}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<CalendarClock />} onClick={act('schedule')}>
        {post.publish_at === null ? text.schedule : text.reschedule}
      </Menu.Item>
      {post.publish_at !== null && (
        <Menu.Item leftSection={<CalendarX />} onClick={act('unschedule')}>
          {text.unschedule}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Tag />} onClick={act('tag')}>
        {text.tag}
      </Menu.Item>
      {isLive && (
        <Menu.Item leftSection={<EyeOff />} onClick={act('unpublish')}>
          {text.unpublish}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item color="var(--danger)" leftSection={<Trash2 />} onClick={act('delete')}>
        {text.delete}
      </Menu.Item>
    </AnchoredMenu>
  );
}
