import { extras, MAX_LISTED_LINKS, type BlogLinks } from '@blog-content/payload-schemas';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { asPublished, boundLinks, linksOf, slugForAuthors, slugForReaders, withTranslations } from './link-store.ts';

/** The post that holds a slug, as its own or as an alias. */
interface Holder {
  readonly claimed: string;
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly language: string | null;
  /** That of the published revision. */
  readonly servedLanguage: string | null;
}

export type OutgoingLinkStore = ReturnType<typeof createOutgoingLinkStore>;

/** The links of working copies. */
export function createOutgoingLinkStore(database: Database | Transaction) {
  return {
    /** Where each link would lead readers if the post was published now; null if the project has no such post. */
    async list(projectId: string, blogId: string): Promise<BlogLinks['items'] | null> {
      const blog = await database.blog.findFirst({
        where: { id: blogId, projectId, state: { not: 'deleted' } },
        select: { id: true, projectId: true, slug: true, title: true, extra: true },
      });
      if (blog === null) return null;
      const rows = await database.blogLink.findMany({
        where: { blogId, isPublished: false },
        select: { slug: true },
        orderBy: { slug: 'asc' },
        take: MAX_LISTED_LINKS,
      });
      const slugs = rows.map(({ slug }) => slug);
      const bound = asPublished(await boundLinks(database, blogId), blog);
      // By the rules of a publish.
      const links = await linksOf(database, blog, { content: '', slugs, bound });
      const { targets } = await withTranslations(database, blog, extras.of(blog.extra), links);
      const bySlug = new Map(targets.map((target) => [target.slug, target]));
      const byName = new Map(bound.map((link) => [link.named, link]));
      const found = slugs.map((named) => {
        const link = byName.get(named);
        const target = bySlug.get(link === undefined ? named : slugForReaders(link));
        const leadsTo =
          target && (target.translation ?? { slug: target.current_slug ?? target.slug, title: target.title });
        return { slug: link === undefined ? named : slugForAuthors(link), leadsTo };
      });
      const holders = await holdersOf(
        database,
        projectId,
        found.flatMap(({ slug, leadsTo }) => [slug, ...(leadsTo ? [leadsTo.slug] : [])]),
      );
      return found.map(({ slug, leadsTo }) => ({
        slug,
        post: showPost(holders.get(slug)),
        leads_to: leadsTo ? showTarget(leadsTo, holders.get(leadsTo.slug)) : null,
      }));
    },
  };
}

async function holdersOf(
  database: Database | Transaction,
  projectId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, Holder>> {
  const holders = await database.$queryRaw<Holder[]>`
    SELECT claim.slug AS claimed, blog.id, blog.title, blog.state, blog.extra ->> 'language' AS language,
      served.extra ->> 'language' AS "servedLanguage"
    FROM slug_claim claim JOIN blog ON blog.id = claim.blog_id
    LEFT JOIN blog_revision served
      ON blog.state = 'published' AND served.blog_id = blog.id AND served.number = blog.revision
    WHERE claim.project_id = ${projectId}::uuid AND claim.slug = ANY (${slugs}::text[])`;
  return new Map(holders.map((holder) => [holder.claimed, holder]));
}

type Link = BlogLinks['items'][number];

function showPost(holder: Holder | undefined): Link['post'] {
  if (holder === undefined) return null;
  const { id, title, state, language } = holder;
  return { blog_id: id, title, state: state as NonNullable<Link['post']>['state'], language };
}

function showTarget(
  { slug, title }: { readonly slug: string; readonly title: string },
  holder: Holder | undefined,
): Link['leads_to'] {
  return holder === undefined ? null : { blog_id: holder.id, slug, title, language: holder.servedLanguage };
}
