import { Stack } from '@mantine/core';
import { useState } from 'react';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { useProject } from '../../../parts/project.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { Fold } from '../../../parts/looks/fold.tsx';
import { sharing } from '../../../strings/writing/extra-fields.ts';
import { idOfField } from '../field-names.ts';
import { postAddress } from '../settings/post-address.ts';
import type { PostFields } from '../settings/use-post-fields.ts';
import { checkSharing, type ImageSize, META_DESCRIPTION, META_TITLE } from './check-sharing.ts';
import { ExtraFields } from './extra-fields.tsx';
import { SeoCard, SharedCard, SharingChecks } from './seo-card.tsx';

const text = strings.settings;

/** What search engines and chats will show, with the automatic values as placeholders. */
export function SearchFields(props: {
  fields: PostFields;
  title: string;
  automaticExcerpt: string;
  /** The hero image, as it is shown. */
  image: string | null;
}) {
  const { values, set, errorOf } = props.fields;
  const { site_url: siteUrl } = useProject();
  const [seen, setSeen] = useState<{ image: string; size: ImageSize } | null>(null);
  const excerpt = values.excerpt || props.automaticExcerpt;
  const metaTitle = values.meta_title || props.title;
  const metaDescription = values.meta_description || excerpt;
  const address = postAddress(siteUrl, values.slug);
  const shared = {
    title: values.og_title || metaTitle,
    description: values.og_description || metaDescription,
    image: values.og_image_url || props.image,
  };
  const placeholders = {
    og_title: metaTitle,
    og_description: metaDescription,
    og_image_url: props.image ?? 'https://…',
    x_title: shared.title,
    x_description: shared.description,
    x_image_url: shared.image ?? 'https://…',
    canonical_url: 'https://',
    noindex: '',
  } as const;
  const isUsed = (Object.keys(placeholders) as (keyof typeof placeholders)[]).some(
    (name) => Boolean(values[name]) || errorOf(name) !== undefined,
  );
  const field = (name: 'meta_title' | 'meta_description' | 'keyword') => ({
    id: idOfField(name),
    value: values[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  return (
    <Stack gap="sm">
      <SeoCard
        title={metaTitle}
        description={metaDescription || text.excerptHint}
        address={address}
        hasSite={siteUrl !== null}
      />
      <SharedCard {...shared} address={address} onImage={(image, size) => setSeen({ image, size })} />
      <SharingChecks
        checks={checkSharing({
          title: metaTitle,
          description: metaDescription,
          image: shared.image,
          size: seen?.image === shared.image ? seen.size : null,
          canonical: values.canonical_url,
          noindex: values.noindex,
          address,
        })}
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
      <Fold title={sharing.title} opened={isUsed}>
        <Stack gap="sm">
          <ExtraFields fields={props.fields} names={placeholders} />
        </Stack>
      </Fold>
    </Stack>
  );
}
