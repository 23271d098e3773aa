import { context, propagation, trace } from '@opentelemetry/api';

const EXPORT_TIMEOUT_MS = 3_000;
/** A batch of a consumer links the trace of every event in it. The default is 128. */
const MAX_LINKS = 1_000;

export interface TracingOptions {
  readonly service: string;
  /**
   * `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector's base URL, to which `/v1/traces` is added. Unset: nothing is traced.
   */
  readonly endpoint?: string | undefined;
  readonly version?: string;
}

/** `stop` sends what is still waiting, and ends the tracing. It never rejects: a lost trace is no failure. */
export interface Tracing {
  stop(): Promise<void>;
}

/**
 * Starts OpenTelemetry tracing for the process: spans of the server and of code that uses `@opentelemetry/api`, W3C
 * `traceparent` in and out, sent over OTLP/HTTP in batches. Without an endpoint it does nothing, and does not even load
 * what traces: that takes memory.
 */
export async function startTracing({ service, endpoint, version }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return { stop: () => Promise.resolve() };
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      ...(version !== undefined && { 'service.version': version }),
    }),
    spanLimits: { linkCountLimit: MAX_LINKS },
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  provider.register();
  return {
    async stop() {
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
