/** The README of an export: its contents, and how to build, move and import them. */
export const readme = (name: string): string => `# ${name.replace(/\s+/g, ' ')}

This is a whole blog as files. Astro, Hugo, Eleventy and Jekyll can build it.

| | |
|---|---|
| \`posts/\` | each post as Markdown with front matter; posts written as HTML stay HTML |
| \`images/\` | the images; posts refer to them as \`../images/…\` |
| \`sites/\` | a small site for each generator, which builds \`posts/\` and \`images/\` |
| \`data/\` | everything as JSON: posts as written, revisions, publishes, images, settings, redirects, and webhooks without their secrets (missing if you exported with \`GET …/export\`) |

Posts are built at \`/blog/<slug>/\`, where links between them point. Drafts have \`draft: true\` and aren't built.

## Build it

\`\`\`sh
cd sites/astro && npm install && npm run build      # dist/
cd sites/hugo && hugo                               # public/
cd sites/eleventy && npm install && npm run build   # _site/
cd sites/jekyll && jekyll build                     # _site/
\`\`\`

## Add it to your own site

- **Astro**: copy \`posts/\` to \`src/content/blog/\` and \`images/\` to \`src/content/images/\`. For posts
  written as HTML, also copy \`images/\` to \`public/blog/images/\`. Filter out drafts when you read the collection:
  \`getCollection('blog', ({ data }) => !data.draft)\`.
- **Hugo**: copy \`posts/\` to \`content/blog/\` and \`images/\` to \`static/blog/images/\`. For posts written as HTML, set
  \`markup.goldmark.renderer.unsafe = true\`.
- **Eleventy**: copy \`posts/\` to \`blog/\`, and \`images/\` to \`blog/images/\` with \`addPassthroughCopy('blog/images')\`.
- **Jekyll**: copy \`posts/\`, and \`images/\` to \`blog/images/\`. Jekyll recognizes drafts by their folder: first move each
  file with \`draft: true\` to \`_drafts/\`, or copy \`sites/jekyll/_plugins/posts.rb\`.

\`data/redirects.json\` maps the old URLs of renamed posts to the new ones. Hugo redirects them automatically.

## Import it again

Import the archive or the unpacked folder: \`npx @blog-content/blog-cli import <folder> --publish\`. Posts you haven't
edited come back exactly as written. For posts you edited, the file in \`posts/\` counts.
`;
