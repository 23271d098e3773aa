import type { EndpointFault } from './endpoint.ts';

/** Why a request to a model's server has failed: for people, with the start of what it answered. */
export function describeFault(fault: EndpointFault): string {
  const { answer } = fault;
  return answer === null ? reasonOf(fault) : `${reasonOf(fault)} ${quoteAnswer(answer)}`;
}

/** It is a stranger's text: quoted, so that nobody takes it for ours. */
export const quoteAnswer = (answer: string): string => `It returned: “${answer}”`;

function reasonOf({ kind, status, code }: EndpointFault): string {
  switch (kind) {
    case 'refused':
    case 'not_allowed':
      return `The model’s server returned ${status ?? '?'}. Check the endpoint, key and model.`;
    case 'address_refused':
      return 'The model’s server has a non-public address, which is not allowed.';
    case 'rate_limited':
      return 'The model’s server keeps rate limiting (429).';
    case 'unavailable':
      if (status === null) return `The model’s server could not be reached${code === null ? '' : ` (${code})`}.`;
      return status >= 400
        ? `The model’s server returned ${status}.`
        : 'The model’s server closed the connection before its response was complete.';
    case 'timeout':
      return 'The model’s server takes too long to respond.';
    case 'unusable':
      return 'The model’s server did not return a readable chat completion.';
  }
}
