/** Elements that show something without a text. */
const SHOWN = new Set([
  ...['img', 'picture', 'svg', 'video', 'audio', 'iframe', 'embed', 'object', 'table', 'hr', 'math', 'canvas', 'input'],
]);
/** Elements whose text nobody sees. */
const UNSEEN = new Set(['script', 'style', 'template', 'title', 'head']);
const BLANK = /^(?:&nbsp;|[\s\u00a0\u200b\u2060\ufeff])*$/;

/** Whether readers would see anything of HTML or Markdown. Each character is looked at a few times at most. */
export function showsSomething(content: string): boolean {
  const lower = content.toLowerCase();
  for (let at = 0; at < content.length;) {
    const open = lower.indexOf('<', at);
    if (!BLANK.test(content.slice(at, open === -1 ? undefined : open))) return true;
    if (open === -1) return false;
    const isComment = lower.startsWith('<!--', open);
    const [, name = ''] = isComment ? [] : (/^<\/?([^\s>/]{1,100})/.exec(lower.slice(open, open + 110)) ?? []);
    // An address in angle brackets is a link in Markdown.
    if (SHOWN.has(name) || name.includes(':') || name.includes('@')) return true;
    const hidesText = UNSEEN.has(name) && lower[open + 1] !== '/';
    const end = isComment ? '-->' : hidesText ? `</${name}` : '>';
    const close = lower.indexOf(end, open);
    // What is never closed is text to some, and nothing to others.
    if (close === -1) return !isComment && !hidesText;
    at = close + (hidesText ? 0 : end.length);
  }
  return false;
}
