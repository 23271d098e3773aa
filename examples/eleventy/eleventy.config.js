import { rm } from 'node:fs/promises';

export default function (eleventyConfig) {
  // What the last build wrote, and what was taken down since, goes.
  eleventyConfig.on('eleventy.before', ({ directories }) => rm(directories.output, { recursive: true, force: true }));
  eleventyConfig.addFilter('absolute', (path, siteUrl) => new URL(path, siteUrl).href);
  // Keeps text of a post from closing the script element.
  eleventyConfig.addFilter('json', (value) => JSON.stringify(value).replaceAll('<', '\\u003c'));
  return { dir: { input: 'src' } };
}
