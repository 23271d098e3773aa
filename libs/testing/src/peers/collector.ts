import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span, its attributes by name. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  /** 2: an error. */
  readonly status: number | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Trace ids of the spans that it links. */
  readonly links: readonly string[];
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

/** What of OTLP/JSON is read. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Pick<CollectedSpan, 'name' | 'traceId' | 'spanId' | 'parentSpanId' | 'kind'> & {
        readonly status: { readonly code?: number };
        readonly attributes: Attributes;
        readonly links?: readonly { readonly traceId: string }[];
      })[];
    }[];
  }[];
}

/** An OpenTelemetry collector, as far as an exporter can tell. */
export interface Collector extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was exported, as text. */
  readonly exported: () => string;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      exports.push(body as Export);
      spans.push(...spansOf(body as Export));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    exported: () => JSON.stringify(exports),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, kind, status, attributes, links = [] }) => ({
        service: String(byName(resource.attributes)['service.name']),
        ...{ name, traceId, spanId, parentSpanId, kind },
        status: status.code,
        attributes: byName(attributes),
        links: links.map((link) => link.traceId),
      })),
    ),
  );
}

const byName = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
