import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { fileVariableOf, isSecret } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { nodeOptionsOf } from './node-options.ts';

/** `docs/configuration.md`: `configuration.md` beside this file with a table of the services' environment schemas. */
export async function configurationDocument(root: string): Promise<string> {
  const rows = new Map<string, ServiceName[]>();
  for (const service of serviceNames) {
    const { environment } = (await import(join(root, 'apps', service, 'src/config.ts'))) as {
      environment: z.ZodObject<Record<string, z.ZodType>>;
    };
    for (const [name, variable] of Object.entries(environment.shape)) {
      const row = rowOf(name, variable);
      rows.set(row, [...(rows.get(row) ?? []), service]);
    }
  }
  const lines = [...rows]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([row, services]) => row.replace('{services}', servicesOf(services)));
  const nodeOptions = serviceNames.map((service) => `| ${service} | \`${nodeOptionsOf(service).join(' ')}\` |`);
  return readFileSync(join(import.meta.dirname, 'configuration.md'), 'utf8')
    .replace('{variables}', lines.join('\n'))
    .replace('{nodeOptions}', nodeOptions.join('\n'));
}

const servicesOf = (services: readonly ServiceName[]) =>
  services.length === serviceNames.length ? 'all' : services.join(', ');

function rowOf(name: string, variable: z.ZodType): string {
  const { description, values = '', default: fallback = '' } = factsOf(variable);
  if (description === undefined) throw new Error(`${name} has no description.`);
  const isOptional = variable.safeParse(undefined).success;
  const shown = fallback === '' ? (isOptional ? '' : 'required') : `\`${fallback}\``;
  return `| \`${name}\` | {services} | ${shown} | ${values === '' && isSecret(name, variable) ? `secret, or \`${fileVariableOf(name)}\`` : values} | ${description} |`;
}

interface Facts {
  readonly description?: string | undefined;
  readonly values?: string;
  readonly default?: string;
}

/** The facts of a schema and of those it wraps; the outermost counts. */
function factsOf(schema: z.core.$ZodType): Facts {
  const {
    innerType,
    in: input,
    defaultValue,
    entries,
  } = schema._zod.def as {
    readonly innerType?: z.core.$ZodType;
    readonly in?: z.core.$ZodType;
    readonly defaultValue?: string;
    readonly entries?: Readonly<Record<string, string>>;
  };
  const inner = innerType ?? input;
  return {
    ...(inner && factsOf(inner)),
    ...(entries && {
      values: Object.values(entries)
        .map((value) => `\`${value}\``)
        .join(', '),
    }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(schema as z.ZodType).meta(),
  };
}
