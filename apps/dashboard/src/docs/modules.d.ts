/* eslint-disable @typescript-eslint/consistent-type-imports -- with an import at the top these would not be declarations */
declare module '*.md?guide' {
  const guide: import('./guide.ts').Guide;
  export default guide;
}
/** The groups of the API reference, a page each. */
declare module 'virtual:api' {
  type Load = () => Promise<{ default: import('./guide.ts').Guide }>;
  const api: {
    readonly groups: readonly { readonly name: string; readonly title: string; readonly load: Load }[];
    readonly introduction: Load;
  };
  export default api;
}
declare module 'virtual:search' {
  const entries: readonly import('./guide.ts').SearchEntry[];
  export default entries;
}
