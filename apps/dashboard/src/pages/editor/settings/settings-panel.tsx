import { Stack, Textarea, TextInput } from '@mantine/core';
import { memo, useCallback, useState } from 'react';
import type { Blog, BlogUpdateRequest } from '../../../generated/types.gen.ts';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { idOfField, reasonOf } from '../field-names.ts';
import type { SaveState } from '../saving/save-queue.ts';
import { DateField } from './date-field.tsx';
import { HeroField } from './hero-field.tsx';
import { LabelsField } from './labels-field.tsx';
import { isSlug, postAddress } from './post-address.ts';
import { SeoCard } from './seo-card.tsx';
import { SlugField } from './slug-field.tsx';
import { useSlugOfTitle } from './use-slug-of-title.ts';

const text = strings.settings;
const META_TITLE = 70;
const META_DESCRIPTION = 160;

/** What is written in the editor, chosen as the hero, made by a generation, or asked when a slug is an alias. */
type Elsewhere = 'title' | 'content' | 'content_markdown' | 'featured_image_url' | 'generated_images' | 'release_alias';
/** Edited here, by a field that holds more than a text. */
type Dates = 'published_at';
/** The fields that are edited here: all others that authors write. A new one does not compile until it stands here. */
type Fields = { [Name in Exclude<keyof BlogUpdateRequest, Elsewhere | Dates>]-?: Exclude<Blog[Name], null> };

/** The fields beside title and content. Each is saved when typing rests; a refusal stands at its field. */
export const SettingsPanel = memo(function SettingsPanel(props: {
  blog: Blog;
  /** What the excerpt is while none is written; it follows the text. */
  automaticExcerpt: string;
  title: string;
  refused: SaveState['refused'];
  onChange: (field: string, value: unknown) => void;
}) {
  const { blog, automaticExcerpt, refused, onChange } = props;
  const { site_url: siteUrl } = useProject();
  const [fields, setFields] = useState<Fields>({
    slug: blog.slug,
    // Only what somebody wrote is in the field: an automatic one would be stored with the first key.
    excerpt: blog.excerpt === blog.automatic_excerpt ? '' : blog.excerpt,
    meta_title: blog.meta_title ?? '',
    meta_description: blog.meta_description ?? '',
    keyword: blog.keyword ?? '',
    categories: blog.categories,
    tags: blog.tags,
  });
  const set = <Name extends keyof Fields>(name: Name, value: Fields[Name]) => {
    setFields((before) => ({ ...before, [name]: value }));
    if (name === 'slug' && !isSlug(value as string)) return;
    onChange(name, NULLABLE.has(name) && value === '' ? null : value);
  };
  const follow = useCallback(
    (slug: string) => {
      setFields((before) => ({ ...before, slug }));
      onChange('slug', slug);
    },
    [onChange],
  );
  const leaveSlug = useSlugOfTitle({ blog, title: props.title, isRefused: refused.has('slug'), onSlug: follow });
  const errorOf = (name: string) => (refused.has(name) ? reasonOf(name, refused.get(name)) : undefined);
  const word = (name: 'excerpt' | 'meta_title' | 'meta_description' | 'keyword') => ({
    id: idOfField(name),
    value: fields[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  const labels = (name: 'categories' | 'tags') => ({
    id: idOfField(name),
    label: text[name],
    description: text.labelsHint,
    value: fields[name],
    error: errorOf(name),
    onChange: (value: string[]) => set(name, value),
  });
  const address = postAddress(siteUrl, fields.slug);
  const excerpt = fields.excerpt || automaticExcerpt;
  return (
    <Stack gap="sm">
      <SlugField
        id={idOfField('slug')}
        blog={blog}
        slug={fields.slug}
        address={address}
        error={errorOf('slug')}
        onChange={(slug) => {
          leaveSlug();
          set('slug', slug);
        }}
        onTake={() => {
          leaveSlug();
          onChange('slug', fields.slug);
          onChange('release_alias', true);
        }}
      />
      <DateField
        id={idOfField('published_at')}
        blog={blog}
        error={errorOf('published_at')}
        onChange={(date) => onChange('published_at', date)}
      />
      <HeroField
        id={idOfField('featured_image_url')}
        address={blog.featured_image_url}
        shown={blog.hero_image_url}
        error={errorOf('featured_image_url')}
        onChange={(url) => onChange('featured_image_url', url)}
      />
      <Textarea
        label={text.excerpt}
        placeholder={automaticExcerpt || text.excerptHint}
        rows={3}
        resize="vertical"
        {...word('excerpt')}
      />
      <TextInput
        label={text.metaTitle}
        description={text.count(fields.meta_title.length, META_TITLE)}
        placeholder={props.title}
        {...word('meta_title')}
      />
      <Textarea
        label={text.metaDescription}
        description={text.count(fields.meta_description.length, META_DESCRIPTION)}
        placeholder={excerpt}
        rows={3}
        resize="vertical"
        {...word('meta_description')}
      />
      <SeoCard
        title={fields.meta_title || props.title}
        description={fields.meta_description || excerpt || text.excerptHint}
        address={address}
        hasSite={siteUrl !== null}
      />
      <LabelsField {...labels('categories')} />
      <LabelsField {...labels('tags')} />
      <TextInput label={text.keyword} {...word('keyword')} />
    </Stack>
  );
});

/** Without a text these are null. */
const NULLABLE = new Set(['meta_title', 'meta_description', 'keyword']);
