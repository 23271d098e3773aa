import { STATUS_CODES } from 'node:http';

/** A request that is refused before the app sees it. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
}

/** How refusals are written: an RFC 9457 problem, or the public API's `{detail}` alone. */
export type RefusalForm = 'problem' | 'detail';

export const TOO_MANY_HEADERS: Refusal = { status: 431, detail: 'The request has more than 100 header fields.' };

/** Node does not tell the two apart. */
const HEADERS_TOO_LARGE = 'The request has more than 100 header fields, or they exceed 16 kB.';

export const NO_HOST: Refusal = { status: 400, detail: 'The request has no Host header.' };

export const UNKNOWN_EXPECTATION: Refusal = {
  status: 417,
  detail: 'The expectation in the `Expect` header is not supported.',
};

/** What a connection's `clientError` means to the caller. */
export function refusalOf(error: { readonly code?: string | undefined }): Refusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, detail: HEADERS_TOO_LARGE };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, detail: 'The chunk extensions of the request are too large.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'The request took too long to arrive.' };
    case undefined:
    default:
      return { status: 400, detail: 'The request is not valid HTTP.' };
  }
}

/** The headers and the body that a refusal is answered with. The connection ends after it. */
export function refusalAnswer(
  { status, detail }: Refusal,
  form: RefusalForm,
): { headers: Record<string, string>; body: string } {
  const title = STATUS_CODES[status] ?? 'Error';
  const body = JSON.stringify(form === 'problem' ? { title, status, detail } : { detail });
  return {
    headers: {
      'Content-Type': form === 'problem' ? 'application/problem+json' : 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
    body,
  };
}

/** The same as bytes, for a socket on which no request could be parsed. */
export function rawRefusal(refusal: Refusal, form: RefusalForm): string {
  const { headers, body } = refusalAnswer(refusal, form);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(refusal.status)} ${STATUS_CODES[refusal.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`;
}
