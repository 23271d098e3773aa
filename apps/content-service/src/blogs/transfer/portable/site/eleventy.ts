export const ELEVENTY: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "blog",
  "private": true,
  "type": "module",
  "scripts": { "build": "eleventy", "dev": "eleventy --serve" },
  "dependencies": { "@11ty/eleventy": "^3.1.8" }
}
`,
  'eleventy.config.js': `export default function (config) {
  config.addGlobalData('layout', 'post.njk');
  config.addPassthroughCopy({ '../../images': 'blog/images' });
}

export const config = {
  dir: { input: '../../posts', includes: '../sites/eleventy', output: '_site' },
};
`,
  'post.njk': `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ title }}</title>
    <meta name="description" content="{{ description }}">
  </head>
  <body>
    <article>
      <h1>{{ title }}</h1>
      {{ content | safe }}
    </article>
  </body>
</html>
`,
};
