import { z } from 'zod';
import { doc, fields } from '../../fields.ts';
import { givenHttpUrl, MAX_LONG_TEXT, MAX_SHORT_TEXT, slug } from '../../primitives.ts';

/** Most links, and most `same_as` pages, of an author. */
export const MAX_AUTHOR_LINKS = 20;
/** Longest label of a link, in characters. */
const MAX_LINK_LABEL = 100;

const AVATAR = doc('URL of a picture.', 'https://cdn.example.com/ada.jpg');
const BIO = doc('A few sentences, as plain text.', 'Ada has brewed tea since 1998.');
const LINKS = doc('Pages to show with the author, in this order.', [
  { label: 'Website', url: 'https://ada.example.com' },
]);
const LABEL = doc('Text of the link.', 'Website');
const LINK = doc('URL of the page.', 'https://ada.example.com');
const SAME_AS = doc('Other pages about this person.', ['https://www.wikidata.org/wiki/Q7259']);
const EMAIL = doc('Email address. Readers never see it.', 'ada@example.com');
const ACCOUNT = doc(
  'ID of the project member who is this author; null if none is.',
  '5a0f6d4e-2b1c-4d7e-9f3a-8c6b5d4e3f21',
);
const SLUG = doc('The author’s name in URLs. Unique within the project.', 'ada-lovelace');

const written = {
  bio: z.string().trim().max(MAX_LONG_TEXT).nullable(),
  avatar_url: givenHttpUrl.nullable(),
  links: z
    .array(z.object({ label: z.string().trim().min(1).max(MAX_LINK_LABEL).meta(LABEL), url: givenHttpUrl.meta(LINK) }))
    .max(MAX_AUTHOR_LINKS),
  same_as: z.array(givenHttpUrl).max(MAX_AUTHOR_LINKS),
  email: z.email().max(254).nullable(),
  account_id: z.uuid().nullable(),
};
const name = z.string().trim().min(1).max(MAX_SHORT_TEXT).meta(doc('Name that readers see.', 'Ada Lovelace'));

export const authorCreateRequest = z.object({
  name,
  slug: slug.min(1).optional().meta(doc('Defaults to one made from the name.', 'ada-lovelace')),
  bio: written.bio.default(null).meta(BIO),
  avatar_url: written.avatar_url.default(null).meta(AVATAR),
  links: written.links.default([]).meta(LINKS),
  same_as: written.same_as.default([]).meta(SAME_AS),
  email: written.email.default(null).meta(EMAIL),
  account_id: written.account_id.default(null).meta(ACCOUNT),
});

export type AuthorCreateRequest = z.infer<typeof authorCreateRequest>;

export const authorUpdateRequest = z.object({
  name: name.optional(),
  slug: slug.min(1).optional().meta(doc('The old slug stays reserved for this author.', 'ada-king')),
  bio: written.bio.optional().meta(BIO),
  avatar_url: written.avatar_url.optional().meta(AVATAR),
  links: written.links.optional().meta(LINKS),
  same_as: written.same_as.optional().meta(SAME_AS),
  email: written.email.optional().meta(EMAIL),
  account_id: written.account_id.optional().meta(ACCOUNT),
});
export type AuthorUpdateRequest = z.infer<typeof authorUpdateRequest>;

/** An author as members of the project and agents see them. */
export const author = z.object({
  id: fields.id,
  slug: z.string().meta(SLUG),
  name: z.string().meta(doc('Name that readers see.', 'Ada Lovelace')),
  bio: z.string().nullable().meta(BIO),
  avatar_url: z.string().nullable().meta(AVATAR),
  links: z.array(z.object({ label: z.string().meta(LABEL), url: z.string().meta(LINK) })).meta(LINKS),
  same_as: z.array(z.string()).meta(SAME_AS),
  former_slugs: z.array(z.string()).meta(doc('Earlier slugs, kept for the author.', ['ada'])),
  email: z.string().nullable().meta(EMAIL),
  account_id: z.uuid().nullable().meta(ACCOUNT),
  created_at: fields.createdAt,
});
