/** Jekyll has no drafts among pages, and copies images to where they stand. */
export const JEKYLL: Readonly<Record<string, string>> = {
  '_config.yml': `url: SITE_ADDRESS
title: SITE_NAME
source: ../..
destination: _site
layouts_dir: sites/jekyll/_layouts
plugins_dir: ./_plugins
exclude: [sites, data, README.md]
defaults:
  - scope: { path: posts }
    values: { layout: post }
`,
  '_plugins/posts.rb': `require 'fileutils'

Jekyll::Hooks.register :site, :post_read do |site|
  site.pages.reject! { |page| page.data['draft'] }
end

Jekyll::Hooks.register :site, :post_write do |site|
  images = File.join(site.source, 'images')
  target = File.join(site.dest, 'blog', 'images')
  FileUtils.mkdir_p(target)
  FileUtils.cp_r(File.join(images, '.'), target) if File.directory?(images)
end
`,
  '_layouts/post.html': `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ page.title | escape }}</title>
    <meta name="description" content="{{ page.description | escape }}">
  </head>
  <body>
    <article>
      <h1>{{ page.title | escape }}</h1>
      {{ content }}
    </article>
  </body>
</html>
`,
};
