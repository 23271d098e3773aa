/**
 * Properties that change what a box looks like without taking it out of its place or its contents out of it: nothing that
 * positions, transforms, clips or stacks. What new properties can do is not known, so that only these are kept.
 */
const PROPERTIES = new Set(
  [
    'color opacity visibility background background-color background-clip background-origin background-position background-repeat',
    'background-size font font-family font-size font-stretch font-style font-variant font-variant-caps font-variant-numeric',
    'font-weight font-kerning line-height letter-spacing word-spacing text-align text-align-last text-transform text-indent',
    'text-justify text-overflow text-wrap white-space word-break word-wrap overflow-wrap hyphens tab-size vertical-align direction',
    'unicode-bidi writing-mode margin margin-top margin-right margin-bottom margin-left margin-block margin-inline padding',
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
const WITH_HEIGHT = new Set([
  'img',
  'video',
  'audio',
  'iframe',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
  'col',
  'colgroup',
  'hr',
]);

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
/** Units of the window, or of a box around: a length in them can be as large as the page. */
const OF_WINDOW = /\d(?:[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max))\b/;
const NEGATIVE = /(?:^|[\s,(/])-[.\d]/;
/** What a subtraction makes is cut off at zero for these; for others it may come to less. */
const NEVER_NEGATIVE = /^(?:(?:min-|max-)?(?:width|height)|padding|padding-[a-z]+|font-size|(?:row-|column-)?gap)$/;
/** Longest length, in whatever unit, and longest that is painted outside of a box, in pixels. */
const MAX_NUMBER = 2_000;
const MAX_PAINTED = 40;

/** The declarations of a `style` attribute that keep the element in its place, load nothing and hide nothing in escapes. */
export function cleanStyle(element: string, style: string): string {
  if (/[\\@{}<>]|\/\*/.test(style)) return '';
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => isKept(element, declaration))
    .join('; ');
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
  if (/\s-\s/.test(value) && !NEVER_NEGATIVE.test(property)) return false;
  if (!callsOf(value).every((called) => FUNCTIONS.has(called))) return false;
  if (PAINTED.has(property)) return !/\d(?!px)[a-z%]/.test(value) && isWithin(value, MAX_PAINTED);
  if (!isWithin(value, MAX_NUMBER)) return false;
  if (HEIGHTS.has(property)) return WITH_HEIGHT.has(element);
  if (!PROPERTIES.has(property)) return false;
  switch (property) {
    case 'position':
      return value === 'static' || value === 'relative';
    case 'display':
      return /^(?:block|inline|inline-block|flow-root|flex|inline-flex|none|list-item|table(?:-[a-z-]+)?)$/.test(value);
    case 'line-height':
      // Lines that are lower than their letters let them cover what follows.
      return /^(?:normal|inherit|(?:0?\.[89]\d*|[1-9]\d?(?:\.\d+)?)(?:em)?|(?:[89]\d|[1-9]\d\d)%)$/.test(value);
    case 'font':
      // Its second length is the height of a line.
      return !value.includes('/');
    default:
      return true;
  }
}

/** The names before opening brackets; a bracket of its own counts as a call of nothing. */
function callsOf(value: string): string[] {
  return [...value.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/([a-z-]*)\s*\(/g)].map(([, name = '']) => name);
}

/** Whether no number is too large, and none is made by multiplying. */
function isWithin(value: string, largest: number): boolean {
  const isColor = (text: string) => text.replace(/#[\da-f]{3,8}\b/g, '');
  return (
    !/\*|\de[+\d]/.test(value) &&
    [...isColor(value).matchAll(/\d+(?:\.\d+)?/g)].every(([number]) => Number(number) <= largest)
  );
}
