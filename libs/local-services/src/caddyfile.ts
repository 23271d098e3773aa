import { serviceNames } from '@blog-content/payload-schemas';
import {
  DASHBOARD_HEADERS,
  DOCS_PAGE,
  DOCS_PATHS,
  HASHED,
  DOCUMENT_PAGE,
  NAMED_TYPES,
  NAMES_ORIGIN,
  NOT_PAGES,
} from './dashboard-files.ts';
import { serviceOfRoute } from './service-for-path.ts';

/**
 * The proxy of containers (docker/dashboard/Caddyfile): one origin with the dashboard’s files and the services behind
 * it, by the same routes and with the same headers as `startGateway`.
 */
export function caddyfile(): string {
  const variable = (service: string) => service.toUpperCase().replaceAll('-', '_');
  // The first that matches counts; the pattern of a service without routes would match everything.
  const routed = serviceNames.filter((service) => routesOf(service).length > 0);
  const inOrder = routed.sort(
    (one, other) => Number(routesOf(one).includes('owner')) - Number(routesOf(other).includes('owner')),
  );
  return `# Made by \`npm run docs\` (libs/local-services/src/caddyfile.ts) from the list of operations: do not edit.
# SITE_ADDRESS is the address to listen on. A domain gets a certificate, and HTTP redirects to HTTPS. Behind a proxy, set
# CADDY_SERVER_OPTIONS, for example to: trusted_proxies static private_ranges
{
	admin off
	servers {
		metrics
		{$CADDY_SERVER_OPTIONS}
	}
	{$CADDY_GLOBAL_OPTIONS}
}

{$ADMIN_ADDRESS:":9090"} {
	respond /healthz 200
	metrics /metrics
}

{$SITE_ADDRESS:":8080"} {
	# Like the services’ logs: no query, which can hold a key, and no headers.
	log {
		output stdout
		format filter {
			wrap json
			fields {
				request>uri regexp [?].* ""
				request>headers delete
				resp_headers delete
			}
		}
	}
	# Caddy sets X-Forwarded-For and -Proto itself, but would pass these on.
	request_header -Forwarded
	request_header -X-Forwarded-Port
	request_header -X-Real-IP

${inOrder
  .map(
    (service) => `	@${service} path_regexp ${patternOf(service)}
	handle @${service} {
		reverse_proxy {$${variable(service)}:"${service}:8080"}
	}
`,
  )
  .join('\n')}
	handle {
		root * {$SITE_FOLDER:"/srv"}
		@writes not method GET HEAD
		error @writes 404
		# Serve documents as Markdown if the Accept header asks for it.
		@markdown {
			path_regexp document ${patternIn(DOCUMENT_PAGE)}
			header Accept *text/markdown*
		}
		rewrite @markdown /docs/{re.document.1}.md
		header @markdown Content-Type "${NAMED_TYPES['.md']}"
		@document path_regexp ${patternIn(DOCUMENT_PAGE)}
		header @document Vary Accept
		# A document without a file in Markdown is unknown: its page says so.
		@unknown {
			path_regexp ${patternIn(DOCS_PATHS)}
			not path /docs /docs/
			not {
				path_regexp ${patternIn(DOCUMENT_PAGE)}
				file {
					root {$SITE_FOLDER:"/srv"}
					try_files /docs/{path.1}.md
				}
			}
		}
		vars @unknown document unknown
		@docs path_regexp ${patternIn(DOCS_PATHS)}
		rewrite @docs ${DOCS_PAGE}
		@page {
			not file
			not path_regexp ${patternIn(NOT_PAGES)}
		}
		rewrite @page /index.html
		header {
${Object.entries(DASHBOARD_HEADERS)
  .map(([name, value]) => `			${name} "${value}"`)
  .join('\n')}
		}
${Object.entries(NAMED_TYPES)
  .map(
    ([extension, type]) =>
      `		@${extension.slice(1)} path *${extension}\n		header @${extension.slice(1)} Content-Type "${type}"`,
  )
  .join('\n')}
		# File names contain a content hash.
		@hashed {
			file
			path_regexp ${patternIn(HASHED)}
		}
		header @hashed Cache-Control "public, max-age=31536000, immutable"
		@others not {
			file
			path_regexp ${patternIn(HASHED)}
		}
		header @others Cache-Control no-cache
		encode zstd gzip
		# Insert the request’s origin into these files.
		@named path_regexp ${patternIn(NAMES_ORIGIN)}
		templates @named {
			mime text/markdown text/plain
			between ⟦ ⟧
		}
		@notFound vars document unknown
		file_server @notFound {
			status 404
		}
		file_server {
			hide .*
		}
	}

	handle_errors {
		header Content-Type application/json
		# The service is away for a moment: the public API promises 500 for that, which clients retry (contract §7.1).
		@away expression {http.error.status_code} >= 502
		header @away Retry-After 2
		respond @away \`{"detail":"The service is starting. Try again in a few seconds."}\` 500
		respond \`{"detail":"No service answers this path."}\` {http.error.status_code}
	}
}
`;
}

const patternIn = (pattern: RegExp) => pattern.source.replaceAll('\\/', '/');

/** Of the paths that a service answers; what others do not answer of the owner API is content-service’s. */
function patternOf(service: string): string {
  const routes = routesOf(service);
  const resources = routes.flatMap((route) => /^projects\/(.+)/.exec(route)?.[1] ?? []);
  const others = routes.flatMap((route) => {
    if (route.startsWith('projects/')) return [];
    if (route.startsWith('/')) return [`${route.slice(1).replaceAll('.', '\\.')}$`];
    return [route === 'images' ? 'images/' : `blog/api/v1/${route}/`];
  });
  const owned = resources.length > 0 && !routes.includes('owner');
  return `^/(?:${[...(owned ? [`blog/api/v1/owner/projects/[^/]+/(?:${resources.join('|')})(?:/|$)`] : []), ...others].join('|')})`;
}

const routesOf = (service: string): string[] =>
  [...serviceOfRoute].flatMap(([route, name]) => (name === service && route !== undefined ? [route] : []));
