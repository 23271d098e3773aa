import { Activity, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Blog } from '../../generated/types.gen.ts';
import { extraNames, type ExtraField } from '../../strings/writing/extra-fields.ts';
import { PostEditor } from './post-editor.tsx';

/** Long enough to draw the editor while the browser is idle. */
const DRAWN_FOR_MS = 2_000;

/** Draws an empty post outside of the document, so that the editor’s code is compiled. */
export function WarmUp() {
  const [isDrawn, setIsDrawn] = useState(true);
  const [nowhere] = useState(() => document.createElement('div'));
  useEffect(() => {
    const timer = setTimeout(() => setIsDrawn(false), DRAWN_FOR_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isDrawn) return null;
  // Hidden, it has no effects: it requests nothing and saves nothing.
  return createPortal(
    <Activity mode="hidden">
      <PostEditor blog={NO_POST} />
    </Activity>,
    nowhere,
  );
}

const NO_EXTRAS = Object.fromEntries(extraNames.map((name): [string, unknown] => [name, null])) as Pick<
  Blog,
  ExtraField
>;
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
