import { LOCAL_ORIGIN, READER } from '../../src/docs/guide.ts';
import type { Sample } from './highlight.ts';
import { parameterOf, type OpenApi, type Operation } from './open-api.ts';

/** The placeholder of each credential. The page replaces the public key with the signed-in reader's. */
const CREDENTIALS: Readonly<Record<string, { readonly shown: string; readonly label: string }>> = {
  publicKeyHeader: { shown: READER.publicKey, label: 'public key' },
  ownerSession: { shown: '$TOKEN', label: 'session token' },
  agentKey: { shown: '$AGENT_KEY', label: 'agent key' },
};

const JSON_TYPE = 'application/json';

/** How people authenticate: `session token`, or `none`. */
export function credentialOf({ security = [] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.includes('sessionCookie')) return 'session cookie of a browser';
  return names.map((name) => CREDENTIALS[name]?.label).find((label) => label !== undefined) ?? 'none';
}

/** One request in curl and in JavaScript, with the example body of the document. */
export function samplesOf(openApi: OpenApi, method: string, path: string, operation: Operation): Sample[] {
  const { security = [], parameters = [], requestBody, responses } = operation;
  const query = parameters
    .map((one) => parameterOf(openApi, one))
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name }) => `${name}=…`);
  const url = `${LOCAL_ORIGIN}${filledIn(path)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const credential = security.flatMap((one) => Object.keys(one)).find((name) => CREDENTIALS[name] !== undefined);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const headers: [string, string][] = [];
  if (credential !== undefined) headers.push(['Authorization', `Bearer ${CREDENTIALS[credential]?.shown}`]);
  if (type !== undefined) headers.push(['Content-Type', type === 'image/*' ? 'image/jpeg' : type]);
  const json = type === JSON_TYPE ? body?.example : undefined;
  const file = type === undefined || type === JSON_TYPE ? null : type === 'application/zip' ? 'posts.zip' : 'photo.jpg';
  return [
    { language: 'curl', code: curl(method, url, headers, json, file) },
    { language: 'js', code: javaScript(method, url, headers, json, file, readerOf(responses)) },
  ];
}

const filledIn = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'projectId' ? READER.projectId : `$${name}`));

type Headers = readonly (readonly [string, string])[];

function curl(method: string, url: string, headers: Headers, json: unknown, file: string | null): string {
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${url}"`];
  for (const [name, value] of headers) lines.push(`-H "${name}: ${value}"`);
  if (json !== undefined) lines.push(`-d '${JSON.stringify(json, null, 2).replaceAll("'", String.raw`'\''`)}'`);
  if (file !== null) lines.push(`--data-binary @${file}`);
  return lines.join(' \\\n  ');
}

/** The method of `Response` that reads a success; null if it has no body. */
function readerOf(responses: Operation['responses']): string | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const [type] = Object.keys(success?.content ?? {});
  if (type === undefined) return null;
  if (type.endsWith('json')) return 'json';
  return type.startsWith('text/') || type.includes('xml') ? 'text' : 'blob';
}

function javaScript(
  method: string,
  url: string,
  headers: Headers,
  json: unknown,
  file: string | null,
  reader: string | null,
): string {
  const quoted = (value: string) => {
    const filled = value.replaceAll(/\$(\w+)/g, (_all, name: string) => `\${${camel(name)}}`);
    return filled.includes('${') ? `\`${filled}\`` : `'${filled}'`;
  };
  const options = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}',`]),
    ...(headers.length === 0
      ? []
      : ['headers: {', ...headers.map(([name, value]) => `  '${name}': ${quoted(value)},`), '},']),
    ...(json === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(json, null, 2)}),`]),
    ...(file === null ? [] : [`body: await openAsBlob('${file}'),`]),
  ];
  const indented = options.flatMap((option) => option.split('\n')).map((line) => `  ${line}`);
  const call =
    options.length === 0
      ? `const response = await fetch(${quoted(url)});`
      : [`const response = await fetch(${quoted(url)}, {`, ...indented, '});'].join('\n');
  const opening = file === null ? '' : "import { openAsBlob } from 'node:fs';\n\n";
  const reading = reader === null ? '' : `\nconst result = await response.${reader}();`;
  return `${opening}${call}\nif (!response.ok) throw new Error(await response.text());${reading}`;
}

/** `AGENT_KEY` and `blogId` as a variable of JavaScript. */
const camel = (name: string) =>
  name === name.toUpperCase()
    ? name.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
    : name;
