import { operationsOf, type OpenApi, type Operation } from './open-api.ts';
import { fieldsAsText, propertiesOf } from './reference-fields.ts';
import { credentialOf, samplesOf } from './reference-samples.ts';
import { exampleOf, groupsOf, parametersOf, renderIntroduction } from './render-reference.ts';

/** The API reference in Markdown: its introduction, and a document for each group. */
export function referenceDocuments(openApi: OpenApi): { readonly name: string; readonly text: string }[] {
  const groups = openApi.tags.map(({ name: tag, description }, index) => ({
    name: groupsOf(openApi)[index]!.name,
    text: `# ${tag}\n\n${description}\n\n${operationsOf(openApi, tag)
      .map(({ method, path, operation }) => sectionOf(openApi, method, path, operation))
      .join('\n')}`,
  }));
  const about = 'How to authenticate, page through lists and retry requests.';
  return [{ name: 'api', text: `# API reference\n\n${about}\n\n${renderIntroduction(openApi)}` }, ...groups];
}

function sectionOf(openApi: OpenApi, method: string, path: string, operation: Operation): string {
  const { summary, description = '', requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const [curl] = samplesOf(openApi, method, path, operation);
  const example = exampleOf(responses);
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    `Authentication: ${credentialOf(operation)}`,
    fieldsAsText('Parameters', openApi, parametersOf(openApi, operation)),
    body ? fieldsAsText('Body', openApi, propertiesOf(openApi, body)) : '',
    `\`\`\`sh\n${curl?.code}\n\`\`\``,
    example ? `Response ${example.status}:\n\n\`\`\`${example.language}\n${example.code.trimEnd()}\n\`\`\`` : '',
    Object.entries(responses)
      .map(([status, response]) => `- ${status}: ${response.description}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}
