declare module '*.md?guide' {
  import type { Guide } from './guide.ts';
  const guide: Guide;
  export default guide;
}
/** Registers `<openapi-explorer>`. */
declare module 'openapi-explorer/dist/browser/openapi-explorer.min.js';
