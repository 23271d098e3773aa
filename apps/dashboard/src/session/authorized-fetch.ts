import { fetchInTime } from '../api/fetch-in-time.ts';
import { accessToken } from './session.ts';

/**
 * `fetch` with the session’s token. A 401 is tried once more with a new token, for which the person may have to sign in
 * again; what the second answer is, the caller gets. Each try has the time of one.
 */
export async function authorizedFetch(input: Request): Promise<Response> {
  const token = await accessToken(null, input.signal);
  const answer = await send(input.clone(), token);
  if (answer.status !== 401) return answer;
  return send(input, await accessToken(token, input.signal));
}

function send(request: Request, token: string): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`);
  return fetchInTime(request);
}
