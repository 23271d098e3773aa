/**
 * Properties that change what a box looks like without taking it out of its place or its contents out of it: nothing
 * that positions, transforms, clips or stacks. What new properties can do is not known, so that only these are kept.
 */
const PROPERTIES = new Set(
  [
    'color opacity visibility background background-color background-clip background-origin background-position background-repeat',
    'background-size font font-family font-size font-stretch font-style font-variant font-variant-caps font-variant-numeric',
    'font-weight font-kerning line-height letter-spacing word-spacing text-align text-align-last text-transform text-indent',
    'text-justify text-overflow text-wrap white-space word-break word-wrap overflow-wrap hyphens tab-size vertical-align direction',
    'unicode-bidi margin margin-top margin-right margin-bottom margin-left margin-block margin-inline padding',
    'padding-top padding-right padding-bottom padding-left padding-block padding-inline border border-top border-right border-bottom',
    'border-left border-width border-style border-color border-radius border-top-left-radius border-top-right-radius',
    'border-bottom-left-radius border-bottom-right-radius border-top-width border-right-width border-bottom-width border-left-width',
    'border-top-style border-right-style border-bottom-style border-left-style border-top-color border-right-color',
    'border-bottom-color border-left-color border-collapse border-spacing box-sizing caption-side empty-cells table-layout',
    'list-style list-style-type list-style-position quotes width max-width min-width display float clear overflow overflow-x',
    'overflow-y flex-direction flex-wrap justify-content align-items align-content gap row-gap column-gap columns column-count',
    'object-fit object-position position break-before break-after break-inside page-break-before page-break-after',
    'page-break-inside orphans widows',
  ].flatMap((line) => line.split(' ')),
);
/** These paint outside of their box, as far as their lengths go. */
const PAINTED = new Set(
  'box-shadow text-shadow outline outline-color outline-style outline-width outline-offset text-decoration text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-underline-offset'.split(
    ' ',
  ),
);
/** A box that is lower than its contents lets them cover what follows: only these have none, or grow with them. */
const HEIGHTS = new Set(['height', 'min-height', 'max-height', 'aspect-ratio']);
const MEDIA = new Set(['img', 'video', 'audio', 'iframe']);
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'col', 'colgroup']);

/** What a value may call; nothing that loads, computes by other means or reads what is not seen here. */
const FUNCTIONS = new Set([
  'rgb',
  'rgba',
  'hsl',
  'hsla',
  'hwb',
  'lab',
  'lch',
  'oklab',
  'oklch',
  'calc',
  'min',
  'max',
  'clamp',
  'linear-gradient',
  'radial-gradient',
]);
const COMPUTING = new Set(['calc', 'min', 'max', 'clamp']);
/** Units of the window, or of a box around: a length in them can be as large as the page. */
const OF_WINDOW = /\d(?:[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max))\b/;
const NEGATIVE = /(?:^|[\s,(/])-[.\d]/;
/** What a subtraction makes is cut off at zero for these; for others it may come to less. */
const NEVER_NEGATIVE = /^(?:(?:min-|max-)?(?:width|height)|padding|padding-[a-z]+|font-size|(?:row-|column-)?gap)$/;
/** Longest length that is painted outside of a box, in pixels. */
const MAX_PAINTED = 40;
/**
 * Longest lengths, in pixels and in per cent. Padding and borders of inline elements lie over the lines around; letters
 * over those around where a site's lines have a fixed height.
 */
const MAX_LENGTHS: readonly (readonly [properties: RegExp, pixels: number, percent: number])[] = [
  [/^font(?:-size)?$/, 100, 600],
  [/^padding/, 100, 10],
  [/^border(?!-spacing|.*-radius)/, MAX_PAINTED, 100],
  [/^(?:margin|text-indent|(?:letter|word|border)-spacing|(?:row-|column-)?gap|vertical-align)/, 200, 50],
  [/^(?:min-|max-)?(?:width|height)$/, 1_200, 100],
];
/** What a unit is in pixels at most, at the usual size of letters. */
const PIXELS: Readonly<Record<string, number>> = {
  ...{ px: 1, q: 1, pt: 4 / 3, mm: 4, cm: 38, in: 96, pc: 16 },
  ...{ em: 16, rem: 16, ex: 16, ch: 16 },
};
/** Largest number of all else, in any unit. */
const MAX_NUMBER = 2_000;

/**
 * The declarations of a `style` attribute that keep the element in its place, load nothing and hide nothing in escapes.
 */
export function cleanStyle(element: string, style: string): string {
  if (/[\\@{}<>]|\/\*/.test(style)) return '';
  const kept = style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => isKept(element, declaration));
  const floats = kept.some((declaration) => /^float/i.test(declaration));
  if (!floats || MEDIA.has(element)) return kept.join('; ');
  // What follows runs around the box of a float: what is larger must not come out of it.
  return [...kept.filter((declaration) => !/^(?:overflow|display)\b/i.test(declaration)), 'overflow: hidden'].join(
    '; ',
  );
}

function isKept(element: string, declaration: string): boolean {
  const [, name, written] = /^([a-z-]+)\s*:([^:]*)$/i.exec(declaration) ?? [];
  if (name === undefined || written === undefined) return false;
  const property = name.toLowerCase();
  const value = written
    .toLowerCase()
    .replace(/!\s*important\s*$/, '')
    .trim();
  if (value === '' || value.includes('--') || NEGATIVE.test(value) || OF_WINDOW.test(value)) return false;
  const calls = callsOf(value);
  // What is taken from what is taken is added.
  if (/\s-\s/.test(value) && (calls.length > 1 || !NEVER_NEGATIVE.test(property))) return false;
  if (!calls.every((called) => FUNCTIONS.has(called))) return false;
  if (PAINTED.has(property)) return !/\d(?!px)[a-z%]/.test(value) && isWithin(value, MAX_PAINTED);
  if (!isWithin(value, MAX_NUMBER) || !hasShortLengths(property, value)) return false;
  if (HEIGHTS.has(property)) return MEDIA.has(element) || TABLE_PARTS.has(element) || element === 'hr';
  if (!PROPERTIES.has(property)) return false;
  switch (property) {
    case 'position':
      return value === 'static' || value === 'relative';
    case 'float':
      return MEDIA.has(element) || element === 'figure';
    case 'overflow':
    case 'overflow-x':
    case 'overflow-y':
      // An image may be painted outside of its box.
      return !MEDIA.has(element);
    case 'opacity':
      // What takes clicks is seen.
      return /^(?:1(?:\.0+)?|0?\.[2-9]\d*|(?:[2-9]\d|100)%)$/.test(value);
    case 'display':
      // The height of a part of a table grows with its contents, for as long as it is one.
      if (TABLE_PARTS.has(element)) return value === 'none';
      return /^(?:block|inline|inline-block|flow-root|flex|inline-flex|none|list-item|table(?:-[a-z-]+)?)$/.test(value);
    case 'line-height':
      // Lines that are lower than their letters let them cover what follows; with a unit, larger letters within would
      // have them.
      return /^(?:normal|inherit|0?\.[89]\d*|[1-9]\d?(?:\.\d+)?)$/.test(value);
    case 'font':
      // Its second length is the height of a line.
      return !value.includes('/');
    default:
      return true;
  }
}

/** The names before opening brackets; a bracket of its own counts as a call of nothing. */
function callsOf(value: string): string[] {
  return [...value.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/(?<![a-z-])([a-z-]*)\(/g)].map(([, name = '']) => name);
}

function hasShortLengths(property: string, value: string): boolean {
  const [, pixels, percent] = MAX_LENGTHS.find(([properties]) => properties.test(property)) ?? [];
  if (pixels === undefined || percent === undefined) return true;
  return [...withoutColors(value).matchAll(/(?<![\d.])(\d+(?:\.\d+)?|\.\d+)([a-z]+|%)/g)].every(
    ([, number, unit = '']) =>
      unit === '%' ? Number(number) <= percent : Number(number) * (PIXELS[unit] ?? Infinity) <= pixels,
  );
}

const withoutColors = (value: string) => value.replace(/#[\da-f]{3,8}\b|"[^"]*"|'[^']*'/g, '');

/** Whether no number is too large, and none is made by adding, multiplying or dividing. */
function isWithin(value: string, largest: number): boolean {
  return (
    !/[*+]|\de\d/.test(value) &&
    !(value.includes('/') && callsOf(value).some((called) => COMPUTING.has(called))) &&
    [...withoutColors(value).matchAll(/\d+(?:\.\d+)?/g)].every(([number]) => Number(number) <= largest)
  );
}
