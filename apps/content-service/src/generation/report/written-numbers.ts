const UNITS =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const OTHERS: Readonly<Record<string, number>> = {
  ...{ hundred: 100, thousand: 1_000 },
  ...{ zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10, zwanzig: 20, dreißig: 30 },
  ...{ vierzig: 40, fünfzig: 50, sechzig: 60, siebzig: 70, achtzig: 80, neunzig: 90, hundert: 100, tausend: 1_000 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5, sept: 7, huit: 8, neuf: 9, dix: 10, vingt: 20, trente: 30 },
  ...{ quarante: 40, cinquante: 50, soixante: 60, cent: 100, mille: 1_000 },
  ...{ dos: 2, tres: 3, cuatro: 4, cinco: 5, siete: 7, ocho: 8, nueve: 9, diez: 10, veinte: 20, treinta: 30 },
  ...{ cuarenta: 40, cincuenta: 50, sesenta: 60, setenta: 70, ochenta: 80, noventa: 90, cien: 100, mil: 1_000 },
};
const VALUES = new Map<string, number>([
  ...UNITS.split(' ').map((word, index) => [word, index + 2] as const),
  ...TENS.split(' ').map((word, index) => [word, 10 * (index + 2)] as const),
  ...Object.entries(OTHERS),
]);

const NUMBER = `(?:${[...VALUES.keys()].join('|')})(?:[ -](?:one|${[...VALUES.keys()].join('|')})){0,4}`;
/**
 * What a number before it counts or measures as a finding would; "two cups" and "three steps" say how something is
 * done.
 */
const MEASURE =
  'per ?cent|prozent|pour cent|por ciento|times|mal|fois|veces|fold|millions?|millionen|millones|billions?|milliarden|milliards|thirds|quarters|fifths|drittel|viertel|tiers|tercios|out of|in (?:ten|five|four)|von zehn|sur dix|de cada|people|users|customers|patients|years|dollars|euros|degrees';
/** Quantities that are a word each. */
const WHOLE =
  '(?:hundreds|thousands|millions|billions|dozens) of|half of all|an? (?:third|quarter|fifth|tenth) of|one in (?:two|three|four|five|ten)|die hälfte aller|ein drittel|ein viertel|la moitié des|un tiers des|un quart des|la mitad de|un tercio de';
const QUANTITIES = new RegExp(`(?<!\\p{L})(?:(${NUMBER})[ -](?:${MEASURE})|${WHOLE})(?!\\p{L})`, 'giu');

/** A quantity in words. */
export interface Quantity {
  /** As it is written, in lower case. */
  readonly text: string;
  /** Its number in digits: of `forty-five percent`, 45; null for such as `millions of`. */
  readonly figure: string | null;
}

/** The numbers of a text that are written out where they say how much or how many. */
export function quantitiesOf(text: string): Quantity[] {
  return [...text.matchAll(QUANTITIES)].map(([all, number]) => ({
    text: all.toLowerCase(),
    figure: number === undefined ? null : figureOf(number),
  }));
}

/** Whether a word, in lower case, is a number or begins with one, as `forty-five` does. */
export const isNumber = (word: string): boolean => VALUES.has(word.split('-')[0]!);

/** The digits of the words that are numbers. */
export const figuresInWords = (words: ReadonlySet<string>): string[] => [...words].filter(isNumber).map(figureOf);

/** `two million` is 2: that is how it is written with a digit. */
function figureOf(number: string): string {
  const values = number
    .toLowerCase()
    .split(/[ -]/)
    .map((word) => (word === 'one' ? 1 : (VALUES.get(word) ?? 0)));
  // Three hundred, forty thousand; hundreds are added to: three hundred forty.
  const value = values.reduce((sum, next) => (next >= 100 && sum > 0 && sum < next ? sum * next : sum + next), 0);
  return String(value);
}
