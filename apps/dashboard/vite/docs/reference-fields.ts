import MarkdownIt from 'markdown-it';
import { resolved, type OpenApi, type Parameter, type Schema } from './open-api.ts';

const markdown = new MarkdownIt({ html: false });
const { escapeHtml } = markdown.utils;

/** How deep nested schemas are shown; below that, only their types. */
const MAX_DEPTH = 3;

export const text = (source: string) => markdown.renderInline(source);

export function parameterFields(openApi: OpenApi, parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, description, schema }) =>
    field(openApi, name, { ...schema, ...(description !== undefined && { description }) }, required === true, 1),
  );
  return `<dl class="fields">${rows.join('')}</dl>`;
}

/** The fields of a body; each alternative of several is named by what tells it from the others. */
export function bodyFields(openApi: OpenApi, given: Schema, depth = 0): string {
  const schema = resolved(openApi, given);
  const alternatives = alternativesOf(openApi, schema);
  if (alternatives.length > 1) {
    return alternatives
      .map((one, index) => {
        const summary = `Option ${index + 1}${titleOf(one)}`;
        const open = index === 0 && depth === 0 ? ' open' : '';
        return `<details${open}><summary>${escapeHtml(summary)}</summary>${bodyFields(openApi, one, depth)}</details>`;
      })
      .join('');
  }
  const [only = schema] = alternatives;
  const object = only.type === 'array' && only.items ? resolved(openApi, only.items) : only;
  const properties = Object.entries(object.properties ?? {});
  if (properties.length === 0) return '';
  const rows = properties.map(([name, one]) =>
    field(openApi, name, one, object.required?.includes(name) === true, depth + 1),
  );
  return `<dl class="fields">${rows.join('')}</dl>`;
}

/** Parameters, or the fields of a body, as a list in Markdown. */
export function fieldsAsText(title: string, openApi: OpenApi, fields: readonly Omit<Parameter, 'in'>[]): string {
  const lines = fields.map(({ name, required, description, schema }) => {
    const about = description ?? resolved(openApi, schema).description;
    const kind = `${typeOf(openApi, schema)}${required === true ? ' · required' : ''}`;
    return `- \`${name}\` (${kind})${about === undefined ? '' : `: ${about}`}`;
  });
  return lines.length === 0 ? '' : `${title}:\n\n${lines.join('\n')}`;
}

export function propertiesOf(openApi: OpenApi, body: Schema): Omit<Parameter, 'in'>[] {
  const { properties = {}, required = [] } = resolved(openApi, body);
  return Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), schema }));
}

/** Objects that a value may be, without `null`. */
function alternativesOf(openApi: OpenApi, schema: Schema): (Schema & { named?: string })[] {
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
    .map((one) => resolved(openApi, one))
    .filter(({ type }) => type !== 'null')
    .flatMap((one) => {
      const within = alternativesOf(openApi, one);
      return within.length > 0 ? within : [one];
    });
}

function titleOf({ named, properties = {} }: Schema & { named?: string }): string {
  const fixed = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  if (fixed) return `: ${fixed[0]} is ${JSON.stringify(fixed[1].const)}`;
  return named === undefined ? '' : `: ${named}`;
}

function field(openApi: OpenApi, name: string, given: Schema, required: boolean, depth: number): string {
  const schema = resolved(openApi, given);
  const inner = depth < MAX_DEPTH ? bodyFields(openApi, schema, depth) : '';
  const within = inner === '' ? '' : `<details><summary>Fields of ${escapeHtml(name)}</summary>${inner}</details>`;
  const badge = required ? ' <span class="required">required</span>' : '';
  const about = schema.description === undefined ? '' : `<p>${text(schema.description)}</p>`;
  return `<div><dt><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeOf(openApi, schema))}</span>${badge}</dt><dd>${about}${within}</dd></div>`;
}

/** A type in words, with its limits: `string · 1–300 characters`. */
function typeOf(openApi: OpenApi, given: Schema): string {
  const schema = resolved(openApi, given);
  const parts = [kindOf(openApi, schema), limitsOf(schema)];
  if (schema.default !== undefined && schema.default !== null && schema.default !== '') {
    const value = JSON.stringify(schema.default);
    if (value.length <= 40 && value !== '{}' && value !== '[]') parts.push(`default ${value}`);
  }
  return parts.filter((part) => part !== '').join(' · ');
}

function kindOf(openApi: OpenApi, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (options.length > 0) {
    return [...new Set(options.map((one) => kindOf(openApi, resolved(openApi, one))))].join(' | ');
  }
  if (schema.type === 'array') return `array of ${kindOf(openApi, resolved(openApi, schema.items ?? {}))}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : ((schema.type as string | undefined) ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string {
  const number = (value: number) => value.toLocaleString('en-US');
  // The bounds of a 32-bit integer tell the reader nothing.
  const most = maximum !== undefined && maximum < 2 ** 31 - 1 ? maximum : undefined;
  if (minimum !== undefined && minimum > -(2 ** 31) && most !== undefined) return `${number(minimum)}–${number(most)}`;
  if (most !== undefined) return `at most ${number(most)}`;
  if (maxItems !== undefined) return `up to ${number(maxItems)} items`;
  if (maxLength === undefined) return '';
  const least = minLength !== undefined && minLength > 1 ? `${number(minLength)}–` : 'up to ';
  return `${least}${number(maxLength)} characters`;
}
