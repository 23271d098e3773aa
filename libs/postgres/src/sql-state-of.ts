import { DatabaseError } from 'pg';

/** As Prisma passes on why PostgreSQL has refused a raw statement. */
interface RawQueryFailure extends Error {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

/** Why PostgreSQL has refused a statement, of `pg` or a raw one of Prisma: its SQLSTATE. Undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  const { code, meta }: Partial<RawQueryFailure> = error instanceof Error ? error : {};
  return code === 'P2010' ? meta?.driverAdapterError?.cause?.originalCode : undefined;
}
