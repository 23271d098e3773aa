import MarkdownIt from 'markdown-it';
import type { Guide } from '../../src/docs/guide.ts';
import { renderSamples, type Sample } from './highlight.ts';
import { operationsOf, parameterOf, type Content, type OpenApi, type Operation } from './open-api.ts';
import { bodyFields, parameterFields, text } from './reference-fields.ts';
import { credentialOf, samplesOf } from './reference-samples.ts';

const markdown = new MarkdownIt({ html: false });
const { escapeHtml } = markdown.utils;

/** The name of a group's page below /docs. */
export const pageOf = (tag: string) => `api-${tag.toLowerCase().replaceAll(/\W+/g, '-')}`;

/** The groups of the API in the order of the document. */
export const groupsOf = ({ tags }: OpenApi) => tags.map(({ name }) => ({ name: pageOf(name), title: name }));

/** One group as a page: what each operation does and needs, beside it a request and an answer. */
export function renderGroup(openApi: OpenApi, page: string): Guide {
  const tag = openApi.tags.find(({ name }) => pageOf(name) === page);
  if (!tag) throw new Error(`The API has no group ${page}.`);
  const operations = operationsOf(openApi, tag.name);
  return {
    title: tag.name,
    sections: operations.map(({ operation }) => ({ id: operation.operationId, title: operation.summary, depth: 2 })),
    html: `<p>${text(tag.description)}</p>${operations
      .map(({ method, path, operation }) => section(openApi, method, path, operation))
      .join('\n')}`,
  };
}

/** The page that comes before the groups: authentication, errors, lists, concurrency. */
export const renderIntroduction = ({ info }: OpenApi) => info.description;

function section(openApi: OpenApi, method: string, path: string, operation: Operation): string {
  const { operationId: id, summary, description = '', requestBody, responses } = operation;
  const parameters = parametersOf(openApi, operation);
  const places = [
    ['path', 'Path parameters'],
    ['query', 'Query parameters'],
    ['header', 'Headers'],
  ] as const;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const fields = body ? bodyFields(openApi, body) : '';
  const about = [
    `<h2 id="${id}">${escapeHtml(summary)} <a class="anchor" href="#${id}" aria-label="Link to this operation">#</a></h2>`,
    `<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></p>`,
    description === '' ? '' : markdown.render(description),
    `<p class="credential">Authentication: ${credentialOf(operation)}</p>`,
  ];
  const details = [
    ...places.map(([place, title]) => {
      const here = parameters.filter((one) => one.in === place);
      return here.length === 0 ? '' : `<h3>${title}</h3>${parameterFields(openApi, here)}`;
    }),
    fields === '' ? '' : `<h3>Body${requestBody?.required === false ? ' (optional)' : ''}</h3>${fields}`,
    '<h3>Responses</h3>',
    `<dl class="fields">${Object.entries(responses)
      .map(([status, response]) => answer(openApi, status, response))
      .join('')}</dl>`,
  ];
  const example = exampleOf(responses);
  const answered = example
    ? `<p class="answer">Response <code>${example.status}</code></p>${renderSamples([example])}`
    : '';
  const beside = `${renderSamples(samplesOf(openApi, method, path, operation))}${answered}`;
  return `<section class="operation"><div>${about.join('')}</div><div class="beside">${beside}</div><div>${details.join('')}</div></section>`;
}

export const parametersOf = (openApi: OpenApi, { parameters = [] }: Operation) =>
  parameters.map((one) => parameterOf(openApi, one));

function answer(openApi: OpenApi, status: string, response: Operation['responses'][string]): string {
  const schema = Object.values(response.content ?? {})[0]?.schema;
  // The introduction describes error bodies once, for all operations.
  const fields = status.startsWith('2') && schema ? bodyFields(openApi, schema, 1) : '';
  const within = fields === '' ? '' : `<details><summary>Fields of the response</summary>${fields}</details>`;
  return `<div><dt><code>${status}</code></dt><dd><p>${text(response.description)}</p>${within}</dd></div>`;
}

/** The example of the first success that has a body. */
export function exampleOf(responses: Operation['responses']): (Sample & { readonly status: string }) | undefined {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const [[type, { example }] = ['', {} as Content]] = Object.entries(content);
    if (!status.startsWith('2') || example === undefined) continue;
    if (typeof example !== 'string') return { status, language: 'json', code: JSON.stringify(example, null, 2) };
    return { status, language: type.includes('xml') ? 'xml' : 'text', code: example };
  }
  return undefined;
}
