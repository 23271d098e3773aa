import type { Plugin } from 'vite';

const FONT = /geist-latin-wght-normal-[^/]*\.woff2$/;

/** Preloads the font, so the first text is already drawn in it. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => FONT.test(name));
        if (file === undefined) throw new Error(`The bundle has no file like ${FONT}.`);
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
