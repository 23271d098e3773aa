import type { ProjectEvent } from '@blog-content/payload-schemas';

type AuthorState = NonNullable<Extract<ProjectEvent, { event: 'project.saved' }>['authors']>[number];

/** An author of a project with this slug. */
export const authorState = (slug: string, given: Partial<AuthorState> = {}): AuthorState => ({
  slug,
  former_slugs: [],
  name: `Name of ${slug}`,
  bio: null,
  avatar_url: null,
  links: [],
  same_as: [],
  email: `${slug}@example.com`,
  ...given,
});
