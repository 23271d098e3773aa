/** What `useInfiniteQuery` needs besides the generated options of a list below `path`. */
export const morePages = <Path>(path: Path) => ({
  initialPageParam: { path },
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
});
