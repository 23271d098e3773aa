import type { EndpointFault } from './endpoint.ts';

/** Why a request to a model's server has failed: for people, with the start of what it answered. */
export function describeFault(fault: EndpointFault): string {
  const { answer } = fault;
  return answer === null ? reasonOf(fault) : `${reasonOf(fault)} ${quoteAnswer(answer)}`;
}

/** It is a stranger's text: quoted, so that nobody takes it for ours. */
export const quoteAnswer = (answer: string): string => `It answered: “${answer}”`;

function reasonOf({ kind, status, code }: EndpointFault): string {
  switch (kind) {
    case 'refused':
    case 'not_allowed':
      return `The model’s server refused the request with status ${status ?? '?'}. Check its address, key and model.`;
    case 'address_refused':
      return 'The model’s server may not be called: its address is not public.';
    case 'rate_limited':
      return 'The model’s server asks to wait (status 429), again and again.';
    case 'unavailable':
      if (status === null) return `The model’s server could not be reached${code === null ? '' : ` (${code})`}.`;
      return status >= 400
        ? `The model’s server failed with status ${status}.`
        : 'The model’s server ended its answer before it was complete.';
    case 'timeout':
      return 'The model’s server takes too long to answer.';
    case 'unusable':
      return 'The answer of the model’s server is not a chat completion that can be read.';
  }
}
