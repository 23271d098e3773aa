const SORTS = ['newest', 'publishes', 'requests', 'failing', 'storage', 'posts'] as const;
export type TenantSort = (typeof SORTS)[number];
/** What content-service can't sort by: another service has it. */
const ELSEWHERE: readonly TenantSort[] = ['requests', 'failing'];

/** What the list shows, according to the URL. */
export interface TenantsSearch {
  readonly q?: string;
  readonly sort?: TenantSort;
  readonly cursor?: string;
}

/** Reads the address; what it does not know it leaves out. */
export function readTenantsSearch(given: Readonly<Record<string, unknown>>): TenantsSearch {
  const { q, sort, cursor } = given;
  return {
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 200) }),
    ...(SORTS.includes(sort as TenantSort) && { sort: sort as TenantSort }),
    ...(typeof cursor === 'string' && /^[\w-]{1,100}$/.test(cursor) && { cursor }),
  };
}

/** By what the list is sorted. A search is content-service's, and so is its order. */
export function sortOf({ q, sort = 'newest' }: TenantsSearch): TenantSort {
  return q !== undefined && ELSEWHERE.includes(sort) ? 'newest' : sort;
}

export { SORTS as TENANT_SORTS };
