import type { z } from 'zod';

/** Variables that are secrets by their name, should a schema forget to say so. */
const SECRET_NAME = /SECRET|PASSWORD|PASSPHRASE|PRIVATE|TOKEN|CREDENTIAL|JWK|(^|_)KEYS?(_|$)|DATABASE_URL/;

/**
 * Marks an environment variable's schema as a secret: its value is in no message and no log line, only whether it is
 * set. The mark survives `.describe()`, `.optional()`, `.default()` and further checks.
 */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), secret: true });
}

/** Whether a variable is a secret: marked with {@link secret}, or named like one. */
export function isSecret(name: string, schema: z.core.$ZodType): boolean {
  return SECRET_NAME.test(name) || isMarked(schema);
}

function isMarked(schema: z.core.$ZodType): boolean {
  if ((schema as z.ZodType).meta()?.['secret'] === true) return true;
  // Wrappers such as optional and default hold the marked schema in `innerType`, pipes in `in`.
  const { innerType, in: input } = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  const inner = innerType ?? input;
  return inner !== undefined && isMarked(inner);
}
