import { useEffect, useLayoutEffect, useRef } from 'react';
import { editor as text } from '../../strings/editor.ts';
import { posts } from '../../strings/posts.ts';
import { idOfField } from './field-names.ts';
import styles from './post-editor.module.css';

/** The title, as tall as its words. Enter leads on to the text. */
export function TitleField(props: {
  title: string;
  isNew: boolean;
  isRefused: boolean;
  onChange: (title: string) => void;
  onEnter: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const grow = () => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  };
  useLayoutEffect(grow, [props.title]);
  useEffect(() => {
    window.addEventListener('resize', grow);
    return () => window.removeEventListener('resize', grow);
  }, []);
  // A new post starts with its title.
  useEffect(() => {
    if (props.isNew) field.current?.select();
  }, []);
  return (
    <textarea
      ref={field}
      id={idOfField('title')}
      className={styles['title']}
      aria-label={text.title}
      aria-invalid={props.isRefused || undefined}
      placeholder={posts.newPostTitle}
      rows={1}
      value={props.title}
      onChange={(event) => props.onChange(event.currentTarget.value.replaceAll('\n', ' '))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        props.onEnter();
      }}
    />
  );
}
