import type { ServiceName } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/documents';

/** What decides the service: which resource of a project it is, or which API, or else whether it is an image. */
const RESOURCE = /^\/blog\/api\/v1\/owner\/projects\/[^/]+\/([^/]+)/;
const OPERATOR = /^\/blog\/api\/v1\/(owner\/operator\/[^/]+)/;
const API = /^\/(?:blog\/api\/v1\/(owner|agent|public)|(images))\//;
const routesOf = (path: string): (string | undefined)[] => {
  const resource = RESOURCE.exec(path)?.[1];
  const [, api, images] = API.exec(path) ?? [];
  return [resource && `projects/${resource}`, OPERATOR.exec(path)?.[1], api ?? images, path];
};
/** Route → service: `projects/<resource>`, `owner/operator/<service>`, the name of an API, or a path of its own. */
export const serviceOfRoute: ReadonlyMap<string | undefined, ServiceName> = new Map<string | undefined, ServiceName>([
  ...httpSurface.map(({ path, service }) => [routesOf(path).find(Boolean), service] as const),
  // The agent API as tools; it is no operation of the HTTP API. Some clients put a slash behind every address.
  ['/mcp', 'content-service'],
  ['/mcp/', 'content-service'],
  // Kept for the dispatcher; nothing answers there yet.
  ['projects/direct-integrations', 'webhook-dispatcher'],
]);

/**
 * Which service answers a request target, with or without a query: the one whose operation goes by the same route, as
 * the ingress of every deployment has it (docs/ARCHITECTURE.md, "HTTP surface"). Null when none does.
 */
export function serviceForPath(target: string): ServiceName | null {
  const [path = ''] = target.split('?', 1);
  for (const route of routesOf(path)) {
    const service = serviceOfRoute.get(route);
    if (service !== undefined) return service;
  }
  return null;
}
