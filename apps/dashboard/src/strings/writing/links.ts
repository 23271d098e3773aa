/** What leads to a post: links of other posts, and slugs that it had before. */
export const links = {
  follow: (posts: number) => {
    if (posts === 0) return 'No other post links here.';
    return posts === 1
      ? '1 post links here. Its links will be updated.'
      : `${posts} posts link here. Their links will be updated.`;
  },
  oldUrlRedirects: 'The old URL stays live until you click Update, then redirects if your site supports it.',
  noOldUrl: 'The old URL was never published, so nothing needs to redirect.',
  taken: (title: string) => `“${title}” has this slug. Choose another.`,
  reserved: 'This slug is reserved. Choose another.',
  alias: (title: string) => `This slug is an alias of “${title}”.`,
  takeText: (title: string) => `If you take it, its URL opens this post instead of “${title}”.`,
  take: 'Take it',
  refused: 'Another post uses this slug or has it as an alias.',
  releaseAlias: 'Taking an alias',
  backlinks: 'Links to this post',
  backlinksOf: (posts: number) => (posts === 1 ? '1 post links here.' : `${posts} posts link here.`),
  noBacklinks: 'No post links here yet.',
  draftOnly: 'Not published yet',
  publishedOnly: 'Removed in the draft',
  aliases: 'Aliases',
  aliasesHint: 'Slugs this post had before. If your site supports redirects, their URLs redirect here.',
  release: 'Release',
  releaseOf: (slug: string) => `Release “${slug}”`,
  releaseTitle: (slug: string) => `Release “${slug}”?`,
  releaseText: 'Its URL no longer redirects to this post, and other posts can use the slug.',
  released: (slug: string) => `“${slug}” is released`,
};
