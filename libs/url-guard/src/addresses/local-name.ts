/**
 * Names that only mean something inside one machine or one network: RFC 6761, RFC 6762 (with its appendix G), RFC 8375,
 * ICANN's `.internal`.
 */
const LOCAL_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'home.arpa',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
];

/** Whether a name (lower case, no trailing dot) only means something inside one machine or one network. */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
