import { readFileSync } from 'node:fs';

/** A request of `receiver-vectors.json`, whose description says how to read it. */
export interface RequestVector {
  readonly name: string;
  readonly body_utf8: string;
  readonly signature: string | null;
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly kept: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
}

function read<Vectors>(path: string): Vectors {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Vectors;
}

export const conversation = read<{ secret: string; site_url: string; requests: RequestVector[] }>(
  '../receiver-vectors.json',
);

interface SignatureVector {
  readonly name: string;
  readonly secret: string;
  readonly body_base64: string;
  readonly signature: string;
}
export const signatures = read<{ valid: SignatureVector[]; invalid: SignatureVector[] }>(
  '../../signing/test-vectors.json',
);
