/**
 * Whether a text can hold anything that {@link redactText} looks for: most do not, and one look is cheaper than five.
 */
const SUSPICIOUS = /pk_live_|sk_agent_|bearer|basic|:\/\/|[?&]|eyJ/i;
/** A character of each of them, none of which an id, a number or a word has: a line is mostly those. */
const NOT_PLAIN = /[_\s/?&J]/;

/**
 * Takes what looks like a secret out of a text: our keys, bearer and basic credentials, session tokens, passwords in
 * URLs, secrets in query strings. A second line of defence: the first is not to log them.
 */
export function redactText(text: string): string {
  if (!NOT_PLAIN.test(text) || !SUSPICIOUS.test(text)) return text;
  return text
    .replace(/(pk_live_|sk_agent_)[A-Za-z0-9]+/g, '$1[redacted]')
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]')
    .replace(/\beyJ[\w-]{8,4000}(?:\.[\w-]{0,4000}){0,2}/g, '[redacted]')
    .replace(/:\/\/[^\s/@]{1,1000}@/g, '://[redacted]@')
    .replace(/([?&](?:api_?key|key|token|access_token|secret|signature|password)=)[^&\s"'#]+/gi, '$1[redacted]');
}

/** A part of each of them, in whatever case style: most names have none, and need not be put into another. */
const LIKE_A_SECRET = /auth|cookie|pass|secret|token|key|jwk|signature|credential/i;
const SECRET_NAME =
  /(^|_)(authorization|cookie|password|passphrase|secret|token|api_?key|private_key|jwk|signature|credential)s?$/;

/** Whether a field's name, in whatever case style, says that its value is a secret. */
export function isSecretName(name: string): boolean {
  if (!LIKE_A_SECRET.test(name)) return false;
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return SECRET_NAME.test(snake);
}
