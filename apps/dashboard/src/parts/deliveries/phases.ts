import type { ExchangeTimings } from '../../generated/types.gen.ts';

export type PhaseName = 'dns' | 'connect' | 'tls' | 'wait' | 'rest';
export interface Phase {
  readonly name: PhaseName;
  readonly ms: number;
  /** Where it begins, and how long it is, of the whole; in percent. */
  readonly fromPercent: number;
  readonly percent: number;
}

/** The phases of an exchange one after the other; `rest` is sending the request and reading the answer’s body. */
export function phasesOf(timings: ExchangeTimings): readonly Phase[] {
  const known = [
    { name: 'dns' as const, ms: timings.dns_ms },
    { name: 'connect' as const, ms: timings.connect_ms },
    { name: 'tls' as const, ms: timings.tls_ms },
    { name: 'wait' as const, ms: timings.first_byte_ms },
  ].flatMap(({ name, ms }) => (ms === null ? [] : [{ name, ms: Math.max(0, ms) }]));
  const sum = known.reduce((total, { ms }) => total + ms, 0);
  const wholeMs = Math.max(timings.total_ms, sum);
  const rest = { name: 'rest' as const, ms: wholeMs - sum };
  let beganMs = 0;
  return [...known, rest].map(({ name, ms }) => {
    const fromPercent = percentOf(beganMs, wholeMs);
    beganMs += ms;
    return { name, ms, fromPercent, percent: percentOf(ms, wholeMs) };
  });
}

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100);
