import { Tabs } from '@mantine/core';
import type { Blog } from '../../generated/types.gen.ts';
import { editor as strings } from '../../strings/editor.ts';
import { ImprovePanel } from './improve/improve-panel.tsx';
import { PreviewPanel } from './preview/preview-panel.tsx';
import type { LatestContent } from './saving/latest-content.ts';
import type { SaveQueue, SaveState } from './saving/save-queue.ts';
import { LinksHere } from './settings/links-here.tsx';
import { SettingsPanel } from './settings/settings-panel.tsx';
import { HistoryPanel } from './versions/history-panel.tsx';

const text = strings.panel;

/** The tab that has fields of the post. */
export const SETTINGS = 'settings';

/** What stands beside the text. */
export function SidePanel(props: {
  blog: Blog;
  /** What the fields are filled with; another number fills them anew. */
  opened: { readonly blog: Blog; readonly number: number };
  tab: string;
  onTab: (tab: string) => void;
  title: string;
  content: LatestContent;
  queue: SaveQueue<Blog>;
  state: SaveState;
  onChange: (field: string, value: unknown) => void;
  onReplaced: (blog: Blog) => void;
}) {
  const { blog, queue } = props;
  return (
    <section aria-label={text.label}>
      <Tabs value={props.tab} onChange={(tab) => props.onTab(tab ?? SETTINGS)} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value={SETTINGS}>{text.settings}</Tabs.Tab>
          <Tabs.Tab value="preview">{text.preview}</Tabs.Tab>
          <Tabs.Tab value="history">{text.history}</Tabs.Tab>
          <Tabs.Tab value="improve">{text.improve}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={SETTINGS} keepMounted>
          <SettingsPanel
            key={props.opened.number}
            blog={props.opened.blog}
            automaticExcerpt={blog.automatic_excerpt}
            title={props.title}
            refused={props.state.refused}
            onChange={props.onChange}
          />
          <LinksHere blog={blog} />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <PreviewPanel blogId={blog.id} hero={blog.hero_image_url} title={props.title} content={props.content} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryPanel blog={blog} queue={queue} onRestored={props.onReplaced} />
        </Tabs.Panel>
        <Tabs.Panel value="improve">
          <ImprovePanel blog={blog} queue={queue} onAccepted={props.onReplaced} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
