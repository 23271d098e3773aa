import { Stack } from '@mantine/core';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { idOfField } from '../field-names.ts';
import { postAddress } from './post-address.ts';
import { SeoCard } from './seo-card.tsx';
import type { PostFields } from './use-post-fields.ts';

const text = strings.settings;
const META_TITLE = 70;
const META_DESCRIPTION = 160;

/** The search preview, with the automatic values as placeholders. */
export function SearchFields(props: { fields: PostFields; title: string; automaticExcerpt: string }) {
  const { values, set, errorOf } = props.fields;
  const { site_url: siteUrl } = useProject();
  const excerpt = values.excerpt || props.automaticExcerpt;
  const field = (name: 'meta_title' | 'meta_description' | 'keyword') => ({
    id: idOfField(name),
    value: values[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  return (
    <Stack gap="sm">
      <SeoCard
        title={values.meta_title || props.title}
        description={values.meta_description || excerpt || text.excerptHint}
        address={postAddress(siteUrl, values.slug)}
        hasSite={siteUrl !== null}
      />
      <TextInput
        label={text.metaTitle}
        description={text.count(values.meta_title.length, META_TITLE)}
        placeholder={props.title}
        {...field('meta_title')}
      />
      <Textarea
        label={text.metaDescription}
        description={text.count(values.meta_description.length, META_DESCRIPTION)}
        placeholder={excerpt}
        rows={3}
        resize="vertical"
        {...field('meta_description')}
      />
      <TextInput label={text.keyword} {...field('keyword')} />
    </Stack>
  );
}
