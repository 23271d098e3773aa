import { showPublish } from '../../publishing/show-publish.ts';
import { showRevision } from '../../revisions/show-revision.ts';
import type { Blog } from '../../writing/blog-store.ts';
import { showBlogItem } from '../../writing/show-blog.ts';
import type { Snapshot } from './export-store.ts';

/** A line of JSON for each blog, in pieces: one blog may have a thousand revisions. */
export async function* allData(snapshot: Snapshot): AsyncGenerator<string> {
  for await (const blog of snapshot.blogs()) {
    yield `${JSON.stringify(showAll(blog)).slice(0, -1)},"revisions":[`;
    let comma = '';
    for await (const revision of snapshot.revisions(blog.id)) {
      yield comma + JSON.stringify({ ...showRevision(revision), excerpt: revision.excerpt });
      comma = ',';
    }
    yield '],"publishes":[';
    comma = '';
    for await (const publish of snapshot.publishes(blog.id)) {
      yield comma + JSON.stringify({ ...showPublish(publish), requested_by: publish.requestedBy });
      comma = ',';
    }
    yield ']}\n';
  }
}

/** The working copy in whole; the excerpt as the author gave it. */
function showAll(blog: Blog) {
  return {
    ...showBlogItem(blog),
    excerpt: blog.excerpt,
    content: blog.content,
    content_markdown: blog.contentMarkdown,
    aliases: blog.aliases,
    publish_at_set_by: blog.publishAtSetBy,
    published_revision: blog.state === 'published' ? blog.revision : null,
  };
}
