import { extras, MAX_GENERATED_IMAGES, MAX_POST_AUTHORS, MAX_SHORT_TEXT } from '@blog-content/payload-schemas';
import type { FrontReader } from './front-reader.ts';

/** What programs call the picture of a post. */
const HEROES = [
  ...['featuredimageurl', 'featuredimage', 'featureimage', 'heroimage', 'hero', 'coverimage', 'cover', 'image'],
  ...['thumbnail', 'banner', 'bannerimage', 'headerimage', 'header', 'ogimage', 'og', 'opengraph', 'socialimage'],
  ...['teaser', 'photo', 'img', 'images', 'seo'],
];
/** What they call its address, where a picture has several values. */
const ADDRESSES = ['image', 'src', 'url', 'path', 'href', 'file'];
const HERO_NAMES = ['', 'params.', 'extra.']
  .flatMap((parent) =>
    HEROES.flatMap((hero) => [parent + hero, ...ADDRESSES.map((address) => `${parent}${hero}.${address}`)]),
  )
  .filter((name) => !/(?:header|og|opengraph|seo)(?:\.(?:src|url|path|href|file))?$/.test(name));

/** Old addresses of a post, or patterns of them. */
const OLD_ADDRESSES = ['aliases', 'alias', 'redirectfrom', 'redirects', 'permalink', 'url', 'oldurl'];
const MAX_NAMED = 20;

/**
 * The fields of a post, by the owner API's names, and the paths that its featured image may have instead of a URL.
 *
 * @param isJekyll whether the file is named as Jekyll names posts.
 */
export function readFields(
  reader: FrontReader,
  isJekyll: boolean,
): { readonly fields: Record<string, unknown>; readonly heroPaths: readonly string[] } {
  const heroPaths: string[] = [];
  const hero = reader.urls(HERO_NAMES, heroPaths)?.[0] ?? null;
  const generated = reader.urls(['generatedimages']);
  if (generated && generated.length > MAX_GENERATED_IMAGES) {
    reader.notes.push(`generated_images has more than ${MAX_GENERATED_IMAGES} URLs. The rest were skipped.`);
  }
  const labels = (...names: [string, ...string[]]) => reader.labels(names, isJekyll ? [names[0]] : []);
  const fields = {
    ...readDescriptions(reader),
    meta_title: reader.text('metatitle', 'seotitle', 'seo.title', 'seo.metatitle', 'meta.title'),
    featured_image_url: hero,
    generated_images: generated?.slice(0, MAX_GENERATED_IMAGES) ?? null,
    categories: labels('categories', 'category', 'taxonomies.categories'),
    tags: labels('tags', 'tag', 'taxonomies.tags'),
    keyword: reader.text('keyword', 'focuskeyword', 'focuskeyphrase', 'seo.keyword', 'seo.focuskeyword'),
    ...readExtras(reader),
  };
  return { fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)), heroPaths };
}

/** Extra fields by their own names, but for authors. Notes values that a field cannot hold. */
function readExtras(reader: FrontReader): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(
    extras.fields
      .filter(([name]) => name !== 'authors')
      .map(([name, { schema, frontMatter = [] }]) => {
        const keys = [name.replaceAll('_', ''), ...frontMatter];
        const key = keys.find((one) => reader.entries.has(one));
        const entry = key === undefined ? null : reader.use(key);
        if (key === undefined || entry === null) return [name, null];
        const text = reader.text(key);
        // Many programs write en_US.
        const tag = name === 'language' ? (text?.replaceAll('_', '-') ?? null) : null;
        const value = [tag, reader.flag(key), text].find((one) => one !== null && schema.safeParse(one).success);
        if (value === undefined) reader.notes.push(`Skipped ${entry.key}: not a valid value.`);
        return [name, value ?? null];
      }),
  );
  if ((values['translation_key'] ?? '') === '' || (values['language'] ?? '') !== '') return values;
  reader.notes.push('Skipped translationKey: only a post with a language can have translations.');
  return { ...values, translation_key: null };
}

/** `description` is the meta description of a post without another, else its excerpt. */
function readDescriptions(reader: FrontReader): Record<'excerpt' | 'meta_description', string | null> {
  const excerpt = reader.text('excerpt', 'summary')?.trim() || null;
  const meta = reader.text(
    ...['metadescription', 'seodescription', 'seo.description', 'seo.metadescription', 'meta.description'],
  );
  if (!meta?.trim()) return { excerpt, meta_description: reader.text('description') };
  if (excerpt !== null) return { excerpt, meta_description: meta };
  const description = reader.text('description');
  // An export of a project repeats the meta description there.
  return { excerpt: description === meta ? null : description, meta_description: meta };
}

/** The slugs or names of who wrote the post, in order; null where the file doesn't say. */
export function readAuthors(reader: FrontReader): readonly string[] | null {
  const values = ['authors', 'author', 'authors.name', 'author.name'].flatMap((name) => reader.use(name)?.value ?? []);
  if (values.length === 0) return reader.entries.get('authors')?.value ? [] : null;
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim().slice(0, MAX_SHORT_TEXT));
  const given = [...new Set(names.filter((name) => name !== ''))];
  if (given.length > MAX_POST_AUTHORS) {
    reader.notes.push(`authors has more than ${MAX_POST_AUTHORS} names. The rest were skipped.`);
  }
  return given.slice(0, MAX_POST_AUTHORS);
}

/** What the picture shows, for people who do not see it. */
export function readHeroAlt(reader: FrontReader): string | null {
  const names = HEROES.flatMap((name) => [`${name}alt`, `${name}.alt`]);
  return reader.text(...names)?.trim() || null;
}

/** A sentence on the addresses that a post had. Patterns of addresses are not any. */
export function noteOnAddresses(reader: FrontReader): string[] {
  const addresses = OLD_ADDRESSES.flatMap((name) => {
    const { key, value } = reader.entries.get(name) ?? { key: '', value: null };
    const given = (typeof value === 'string' ? [value] : (value ?? [])).map((address) => address.trim());
    const found = given.filter((address) => /^(?:\/|https?:\/\/)/i.test(address) && !/[{}]|\/:/.test(address));
    if (found.length === 0) return [];
    reader.use(name);
    return found.map((address) => `${address} (${key})`);
  });
  if (addresses.length === 0) return [];
  const more = addresses.length > MAX_NAMED ? ` and ${addresses.length - MAX_NAMED} more` : '';
  return [`Old URLs to redirect at your host: ${addresses.slice(0, MAX_NAMED).join(', ')}${more}.`];
}
