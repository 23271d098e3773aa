import { DatabaseError } from 'pg';

/** As Prisma passes on why PostgreSQL has refused a statement. */
interface QueryFailure extends Error {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

/** Why PostgreSQL has refused a statement, of `pg` or Prisma: its SQLSTATE. Undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  const { meta }: Partial<QueryFailure> = error instanceof Error ? error : {};
  return meta?.driverAdapterError?.cause?.originalCode;
}
