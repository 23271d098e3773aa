import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getDataFieldsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setDataFields } from '../../../generated/sdk.gen.ts';
import type { DataField } from '../../../generated/types.gen.ts';
import { useProject } from '../../../parts/project.tsx';

/** The project's data fields, and how to replace them. */
export function useDataFields() {
  const path = { projectId: useProject().id };
  const queries = useQueryClient();
  const options = getDataFieldsOptions({ path });
  const query = useQuery(options);
  const save = useMutation({
    mutationFn: async (fields: readonly DataField[]) => {
      const headers = { 'If-Match': `"${query.data?.version ?? 0}"` };
      const { data } = await setDataFields({ path, headers, body: { fields: [...fields] }, throwOnError: true });
      queries.setQueryData(options.queryKey, data);
    },
    // Someone else changed the list: the next try starts from theirs.
    onError: () => queries.invalidateQueries({ queryKey: options.queryKey }),
  });
  return { query, fields: query.data?.fields ?? [], save };
}
