const MILLION = 1_000_000;

/** The millionths of an amount: money is counted in them, in any currency. */
export const toMicros = (amount: number): number => Math.round(amount * MILLION);

/** An amount of so many millionths. */
export const toAmount = (micros: bigint | number): number => Number(micros) / MILLION;

/** What tokens cost whose price, in millionths, is that of a million of them. */
export const costOf = (input: number, output: number, { inputMicros, outputMicros }: TokenPrices): number =>
  Math.ceil((input * inputMicros + output * outputMicros) / MILLION);

/** Money in millionths: for a million tokens each way. */
export interface TokenPrices {
  readonly inputMicros: number;
  readonly outputMicros: number;
}
