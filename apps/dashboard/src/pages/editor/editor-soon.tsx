import { Activity, useEffect, useState, type ComponentType } from 'react';
import { createPortal } from 'react-dom';
import type { Blog } from '../../generated/types.gen.ts';
import { extraNames, type ExtraField } from '../../strings/writing/extra-fields.ts';

/** Long enough for what the page itself loads and draws. */
const AFTER_MS = 2_000;
/** Within it the editor is drawn while nothing else is to be done. */
const DRAWN_FOR_MS = 2_000;

/**
 * Has the editor ready for a page that leads to it: loads it, and draws a post for nobody, outside of the document.
 * Code is compiled when it first runs, and to fetch and compile takes longer than to draw. Not for somebody who saves
 * data.
 */
export function EditorSoon() {
  const [Editor, setEditor] = useState<ComponentType<{ blog: Blog }> | null>(null);
  const [nowhere] = useState(() => document.createElement('div'));
  useEffect(() => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
    const timers = [setTimeout(() => whenIdle(() => void load()), AFTER_MS)];
    const load = async () => {
      if (!navigator.onLine) return;
      const { PostEditor } = await import('./post-editor.tsx').catch(() => ({ PostEditor: null }));
      setEditor(() => PostEditor);
      timers.push(setTimeout(() => setEditor(null), DRAWN_FOR_MS));
    };
    return () => timers.forEach(clearTimeout);
  }, []);
  if (Editor === null) return null;
  // Hidden, it has no effects: it asks for nothing and saves nothing.
  return createPortal(
    <Activity mode="hidden">
      <Editor blog={NO_POST} />
    </Activity>,
    nowhere,
  );
}

/** Runs it once nothing else is to be done; soon, in browsers that cannot say when that is. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run);
  else setTimeout(run, 200);
}

const NO_EXTRAS = Object.fromEntries(extraNames.map((name) => [name, ''])) as Pick<Blog, ExtraField>;
const NO_POST: Blog = {
  ...NO_EXTRAS,
  id: '',
  project_id: '',
  state: 'draft',
  version: 0,
  title: '',
  slug: '',
  excerpt: '',
  meta_title: null,
  meta_description: null,
  featured_image_url: null,
  generated_images: [],
  categories: [],
  tags: [],
  keyword: null,
  hero_image_url: null,
  has_unpublished_changes: false,
  published_at: null,
  previous_published_at: null,
  publish_at: null,
  created_at: '',
  updated_at: '',
  content: '<p></p>',
  content_markdown: null,
  automatic_excerpt: '',
  aliases: [],
  live_posts: [],
};
