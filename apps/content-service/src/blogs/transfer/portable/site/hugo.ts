const page = (body: string): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ .Title }}</title>
    <meta name="description" content="{{ .Description }}">
  </head>
  <body>
    ${body}
  </body>
</html>
`;

const LIST = page(
  '<h1>{{ .Title }}</h1><ul>{{ range where site.RegularPages "Section" "blog" }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul>',
);

/** Posts in HTML need `unsafe`: Hugo leaves HTML of Markdown out otherwise. */
export const HUGO: Readonly<Record<string, string>> = {
  'hugo.toml': `baseURL = SITE_ADDRESS
title = SITE_NAME
disableKinds = ["taxonomy", "term"]

[markup.goldmark.renderer]
unsafe = true

[[module.mounts]]
source = "../../posts"
target = "content/blog"

[[module.mounts]]
source = "../../images"
target = "static/blog/images"

[[module.mounts]]
source = "layouts"
target = "layouts"
`,
  'layouts/home.html': LIST,
  'layouts/section.html': LIST,
  'layouts/page.html': page('<article><h1>{{ .Title }}</h1>{{ .Content }}</article>'),
};
