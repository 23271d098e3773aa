import { useQuery } from '@tanstack/react-query';
import {
  listTenantReceiversOptions,
  listTenantRequestsOptions,
  listTenantsOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import type { Tenant, TenantReceivers } from '../../generated/types.gen.ts';
import { sortOf, type TenantsSearch } from './search.ts';

/** A project with what each service knows of it; undefined while that is loading, null where it failed. */
export interface TenantRow {
  readonly tenant: Tenant;
  readonly requests: number | null | undefined;
  readonly receivers: TenantReceivers | { readonly failing: 0 } | null | undefined;
}

const PAGE = 50;

/**
 * One page of projects. The service that has what the list is sorted by says which projects it shows; the others are
 * asked for these. Projects that content-service no longer has are left out.
 */
export function useTenants(search: TenantsSearch) {
  const sort = sortOf(search);
  const { q, cursor } = search;
  const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
  const byRequests = useQuery({ ...listTenantRequestsOptions({ query: page }), enabled: sort === 'requests' });
  const byFailing = useQuery({ ...listTenantReceiversOptions({ query: page }), enabled: sort === 'failing' });
  const leading = sort === 'requests' ? byRequests : sort === 'failing' ? byFailing : null;
  const order = leading?.data?.items.map(({ project_id: id }) => id);
  const query =
    leading !== null
      ? { limit: PAGE, ids: order?.join(',') ?? '' }
      : { ...page, sort: sort as 'newest', ...(q !== undefined && { q }) };
  const list = useQuery({
    ...listTenantsOptions({ query }),
    enabled: leading === null || (order?.length ?? 0) > 0,
  });
  const tenants = list.data?.items ?? [];
  const places = new Map(order?.map((id, index) => [id, index]));
  const shown =
    leading === null ? tenants : tenants.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  const ids = shown.map(({ id }) => id).join(',');
  const enabled = shown.length > 0;
  const requests = useQuery({ ...listTenantRequestsOptions({ query: { ids, limit: PAGE } }), enabled });
  const receivers = useQuery({ ...listTenantReceiversOptions({ query: { ids, limit: PAGE } }), enabled });
  const requestsOf = new Map(requests.data?.items.map((item) => [item.project_id, item.requests]));
  const receiversOf = new Map(receivers.data?.items.map((item) => [item.project_id, item]));
  const rows = shown.map((tenant): TenantRow => ({
    tenant,
    requests: requests.data ? (requestsOf.get(tenant.id) ?? 0) : requests.error === null ? undefined : null,
    receivers: receivers.data
      ? (receiversOf.get(tenant.id) ?? { failing: 0 })
      : receivers.error === null
        ? undefined
        : null,
  }));
  const waitsFor = leading !== null && leading.data === undefined ? leading : list;
  const isEmpty = leading !== null && order?.length === 0;
  return {
    rows,
    sort,
    isEmpty: isEmpty || (list.data !== undefined && rows.length === 0),
    isPending: !isEmpty && waitsFor.isPending,
    error: waitsFor.error,
    refetch: () => waitsFor.refetch(),
    next: leading === null ? list.data?.next_cursor : leading.data?.next_cursor,
    isFetching: list.isFetching || (leading?.isFetching ?? false),
  };
}
