/** Longer than the service takes to read anything, its queues included. */
const READ_TIMEOUT_MS = 60_000;
/** Longer than what it does or tries elsewhere may take, such as a test of a direct integration. */
const WRITE_TIMEOUT_MS = 180_000;

/**
 * `fetch` of a call to the service with a limit of its own, to the end of the answer. It does not hold for uploads, nor
 * for streams once they have begun: those take as long as they take.
 *
 * @throws DOMException `TimeoutError` when the limit is reached; what `fetch` throws.
 */
export async function fetchInTime(
  request: Request,
  timeoutMs = request.method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS,
): Promise<Response> {
  if (isUpload(request)) return fetch(request);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('No answer in time.', 'TimeoutError')), timeoutMs);
  try {
    const answer = await fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) });
    if (!isJson(answer.headers)) clearTimeout(timer);
    return answer;
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}

const isJson = (headers: Headers): boolean =>
  /^application\/([a-z.]+\+)?json\b/i.test(headers.get('Content-Type') ?? '');

/** The service takes files as they are, and everything else as JSON. */
const isUpload = ({ headers }: Request): boolean => headers.has('Content-Type') && !isJson(headers);
