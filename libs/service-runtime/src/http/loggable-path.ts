const LONGEST = 200;

/**
 * The path of a request target as logs and traces may have it: no query (it can hold an API key), nothing but printable
 * ASCII, at most 200 characters.
 */
export function loggablePath(target: string): string {
  // Proxies may send the whole URL, with user info in it.
  const local = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '*');
  const path = local.split(/[?#]/, 1)[0] ?? '';
  const escaped = path.slice(0, LONGEST + 1).replace(/[^\x21-\x7e]/g, escapeCharacter);
  return escaped.length > LONGEST ? `${escaped.slice(0, LONGEST - 1)}…` : escaped;
}

/** Node hands bytes above 0x7f over as Latin-1, so a code up to 0xff is the byte that was sent. */
function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff
    ? `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
