const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What a client says it is, as people call it; what is no browser stays as it is, without what follows its name. */
export function clientName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null;
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
  if (browser === undefined) return userAgent.split(/[\s/(]/)[0]?.slice(0, 60) ?? null;
  return system === undefined ? browser : `${browser}, ${system}`;
}

/** Whether it is a phone or tablet, a computer, or no browser at all. */
export function clientKind(userAgent: string | null): 'phone' | 'computer' | 'program' {
  if (userAgent === null || !BROWSERS.some(([, sign]) => sign.test(userAgent))) return 'program';
  return /\b(?:Android|iPhone|iPad|Mobile)\b/.test(userAgent) ? 'phone' : 'computer';
}
