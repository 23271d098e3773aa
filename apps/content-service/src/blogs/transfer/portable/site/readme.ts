/** What is in the archive, and what to do with it. */
export const readme = (name: string): string => `# ${name.replace(/\s+/g, ' ')}

This is a whole blog as files. Astro, Hugo, Eleventy and Jekyll build it as it is.

| | |
|---|---|
| \`posts/\` | each post, as Markdown with front matter; its HTML where it was written as HTML |
| \`images/\` | the images that posts show as \`../images/…\` |
| \`sites/\` | a small site for each generator, which builds \`posts/\` and \`images/\` |
| \`data/\` | everything as JSON: posts as they were written, revisions, publishes, images, settings, redirects, and webhooks without their secrets (missing if you exported with \`GET …/export\`) |

Posts are built at \`/blog/<slug>/\`, as before: links between them lead there. Drafts have \`draft: true\` and are not built.

## Build it

\`\`\`sh
cd sites/astro && npm install && npm run build      # dist/
cd sites/hugo && hugo                               # public/
cd sites/eleventy && npm install && npm run build   # _site/
cd sites/jekyll && jekyll build                     # _site/
\`\`\`

## Move it into your own site

- **Astro**: copy \`posts/\` to \`src/content/blog/\` and \`images/\` to \`src/content/images/\`. Posts written as HTML show
  images from \`public/blog/images/\`: copy \`images/\` there, too. Leave drafts out where you read the collection:
  \`getCollection('blog', ({ data }) => !data.draft)\`.
- **Hugo**: copy \`posts/\` to \`content/blog/\` and \`images/\` to \`static/blog/images/\`. For posts written as HTML set
  \`markup.goldmark.renderer.unsafe = true\`.
- **Eleventy**: copy \`posts/\` to \`blog/\`, and \`images/\` to \`blog/images/\` with \`addPassthroughCopy('blog/images')\`.
- **Jekyll**: copy \`posts/\` as it is, and \`images/\` to \`blog/images/\`. Jekyll knows drafts by their folder: first move
  each file with \`draft: true\` to \`_drafts/\`, or copy \`sites/jekyll/_plugins/posts.rb\`.

\`data/redirects.json\` has the former addresses of renamed posts and where they lead now. Hugo redirects them by itself.

## Import it again

Send the archive as it is, or the unpacked folder: \`npx @blog-content/blog-cli import <folder> --publish\`. Posts that you
have not edited come back exactly as they were written. Of those that you have edited the file in \`posts/\` counts.
`;
