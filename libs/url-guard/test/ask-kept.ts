import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { UrlGuard } from '../src/url-guard.ts';

/** Makes one request over the agents that keep connections; rejects with what the connection failed of. */
export async function askKept({ agents }: UrlGuard, url: string): Promise<{ statusCode: number; body: string }> {
  const { http, https } = agents.keepAlive;
  const isSecure = url.startsWith('https:');
  return new Promise((resolve, reject) => {
    const call = (isSecure ? httpsRequest : httpRequest)(url, { method: 'POST', agent: isSecure ? https : http });
    call.once('error', reject);
    call.once('response', (answer) => {
      let body = '';
      answer.on('data', (text) => (body += text));
      answer.once('end', () => resolve({ statusCode: answer.statusCode ?? 0, body }));
    });
    call.end('x');
  });
}
