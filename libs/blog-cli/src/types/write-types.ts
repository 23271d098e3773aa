/** A field that a project declares for the data of its posts. */
export interface DataField {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly help: string;
  readonly choices: readonly string[];
  readonly json_schema: Schema | null;
}

/** The subset of JSON Schema that fields may use. */
interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
}

const HEAD = '// Written by "blog types" from the project’s data fields. Do not edit: run it again.\n';

/** A declaration file with the type of a post's `data`. The same fields give the same bytes. */
export function writeTypes(fields: readonly DataField[]): string {
  const lines = fields.flatMap((field) => [
    ...comment([field.label, field.help].filter((text) => text !== '').join('. '), 1),
    `  ${field.name}?: ${typeOf(field)};`,
  ]);
  return `${HEAD}\n/** The data of a post. Every field may be missing. */\nexport interface PostData {${block(lines)}}\n`;
}

const block = (lines: readonly string[]): string => (lines.length === 0 ? '' : `\n${lines.join('\n')}\n`);

function typeOf({ kind, choices, json_schema: schema }: DataField): string {
  switch (kind) {
    case 'number':
    case 'boolean':
      return kind;
    case 'choice':
      return choices.map(literal).join(' | ');
    case 'json':
      return schema === null ? 'unknown' : typeOfSchema(schema, 1);
    case 'post':
      return '{ id: string; slug: string } | null';
    default:
      return 'string';
  }
}

function typeOfSchema(schema: Schema, level: number): string {
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const types = [schema.type ?? []].flat().map((type) => typeOfOne(type, schema, level));
  return [...new Set(types)].join(' | ') || 'unknown';
}

function typeOfOne(type: string, schema: Schema, level: number): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `Array<${schema.items === undefined ? 'unknown' : typeOfSchema(schema.items, level)}>`;
  return type === 'object' ? objectOf(schema, level) : type;
}

function objectOf({ properties = {}, required = [], additionalProperties = true }: Schema, level: number): string {
  const indent = '  '.repeat(level + 1);
  const named = Object.entries(properties).flatMap(([name, inner]) => [
    ...comment(inner.description ?? '', level + 1),
    `${indent}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOfSchema(inner, level + 1)};`,
  ]);
  const unnamed = required.filter((name) => !Object.hasOwn(properties, name));
  const lines = [
    ...named,
    ...unnamed.map((name) => `${indent}${keyOf(name)}: unknown;`),
    ...(additionalProperties ? [`${indent}[name: string]: unknown;`] : []),
  ];
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${'  '.repeat(level)}}`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

/** JSON is TypeScript, but for two line breaks that older tools stumble over. */
const literal = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);

/** A comment in one line, which no text ends. */
const comment = (text: string, level: number): string[] =>
  text === '' ? [] : [`${'  '.repeat(level)}/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*∕')} */`];
