import { useEffect, useRef } from 'react';
import { followsTitle, slugOfTitle } from './post-address.ts';

/** So many posts of one title find a free slug by themselves. */
const MAX_ATTEMPTS = 9;

/**
 * Has the slug follow from the title, and another one when that is taken, until the function that it returns is called:
 * somebody writes one. `onSlug` is the same one at each render.
 */
export function useSlugOfTitle(props: {
  blog: { slug: string; title: string; state: string };
  title: string;
  isRefused: boolean;
  onSlug: (slug: string) => void;
}): () => void {
  const { blog, title, isRefused, onSlug } = props;
  const follows = useRef(followsTitle(blog));
  const followed = useRef({ title: blog.title, attempt: 1 });
  useEffect(() => {
    const last = followed.current;
    const isTaken = isRefused && last.attempt < MAX_ATTEMPTS;
    if (!follows.current || (title === last.title && !isTaken)) return;
    followed.current = { title, attempt: title === last.title ? last.attempt + 1 : 1 };
    const slug = slugOfTitle(title, followed.current.attempt);
    if (slug !== '') onSlug(slug);
  }, [title, isRefused, onSlug]);
  return () => {
    follows.current = false;
  };
}
