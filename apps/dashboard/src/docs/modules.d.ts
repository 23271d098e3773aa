/* eslint-disable @typescript-eslint/consistent-type-imports -- with an import at the top these would not be declarations */
/** The guides and the packages' READMEs. */
declare module 'virtual:documents' {
  type Load = () => Promise<{ default: import('./guide.ts').Guide }>;
  const documents: Readonly<Record<import('./guide.ts').DocumentName, Load>>;
  export default documents;
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
