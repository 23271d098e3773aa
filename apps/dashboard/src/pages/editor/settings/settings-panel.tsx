import { Stack } from '@mantine/core';
import type { Blog } from '../../../generated/types.gen.ts';
import { Textarea } from '../../../parts/forms/inputs.tsx';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { idOfField } from '../field-names.ts';
import { AuthorsField } from './authors/authors-field.tsx';
import { DateField } from './date-field.tsx';
import { ImageField } from './image-field.tsx';
import { LabelsField } from './labels-field.tsx';
import { postAddress } from './post-address.ts';
import { SlugField } from './slug-field.tsx';
import type { PostFields } from './use-post-fields.ts';

const text = strings.settings;

/** The post's fields. An error is shown at its field. */
export function SettingsPanel(props: {
  /** As it was opened. */
  blog: Blog;
  /** As it is now. */
  saved: Blog;
  fields: PostFields;
  /** The automatic excerpt, which follows the text. */
  automaticExcerpt: string;
  hero: { readonly address: string | null; readonly shown: string | null };
  onFeatured: (url: string | null) => void;
  onChange: (field: string, value: unknown) => void;
}) {
  const { blog, hero, onChange } = props;
  const { values, set, leaveSlug, errorOf } = props.fields;
  const { site_url: siteUrl } = useProject();
  const labels = (name: 'categories' | 'tags') => ({
    id: idOfField(name),
    label: text[name],
    value: values[name],
    error: errorOf(name),
    onChange: (value: string[]) => set(name, value),
  });
  return (
    <Stack gap="md">
      <SlugField
        id={idOfField('slug')}
        blog={blog}
        slug={values.slug}
        address={postAddress(siteUrl, values.slug)}
        error={errorOf('slug')}
        onChange={(slug) => {
          leaveSlug();
          set('slug', slug);
        }}
        onTake={() => {
          leaveSlug();
          onChange('slug', values.slug);
          onChange('release_alias', true);
        }}
      />
      <DateField
        id={idOfField('published_at')}
        blog={props.saved}
        error={errorOf('published_at')}
        onChange={(date) => onChange('published_at', date)}
      />
      <ImageField
        id={idOfField('featured_image_url')}
        label={text.hero}
        add={text.heroAdd}
        address={hero.address}
        shown={hero.shown}
        error={errorOf('featured_image_url')}
        onChange={props.onFeatured}
      />
      <Textarea
        id={idOfField('excerpt')}
        label={text.excerpt}
        placeholder={props.automaticExcerpt || text.excerptHint}
        rows={3}
        resize="vertical"
        value={values.excerpt}
        error={errorOf('excerpt')}
        onChange={(event) => set('excerpt', event.currentTarget.value)}
      />
      <AuthorsField
        id={idOfField('authors')}
        value={values.authors}
        error={errorOf('authors')}
        onChange={(slugs) => set('authors', slugs)}
      />
      <LabelsField {...labels('tags')} />
      <LabelsField {...labels('categories')} />
    </Stack>
  );
}
