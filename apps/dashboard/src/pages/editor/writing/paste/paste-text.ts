import type { Editor } from '@tiptap/core';
import { embedOf, frameOf, urlOf } from './embed-of.ts';
import { isMarkdown, renderMarkdown } from './markdown.ts';

/**
 * Pastes text that means more than its words: a URL links the selection, or becomes a player on a line of its own;
 * Markdown becomes what it describes. False where it is to be pasted as it is.
 */
export function pasteText(editor: Editor, data: DataTransfer | null): boolean {
  const text = data?.getData('text/plain') ?? '';
  if (text.trim() === '' || isVerbatim(editor)) return false;
  const url = urlOf(text);
  if (url !== null) return pasteUrl(editor, url);
  // What other programs have formatted is better than the words of it; a code editor only colors them.
  const isFormatted = data?.types.includes('text/html') === true && !data.types.includes('vscode-editor-data');
  if (isFormatted || !isMarkdown(text)) return false;
  const { view } = editor;
  renderMarkdown(text).then(
    (html) => view.pasteHTML(html),
    () => view.pasteText(text),
  );
  return true;
}

/** In code every character counts; and with Shift nothing is made of what is pasted. */
function isVerbatim({ view, state }: Editor): boolean {
  const { shiftKey } = (view as unknown as { input: { shiftKey: boolean } }).input;
  return shiftKey || state.selection.$from.parent.type.spec.code === true;
}

function pasteUrl(editor: Editor, url: URL): boolean {
  const { selection } = editor.state;
  const { href } = url;
  if (!selection.empty) return editor.chain().setMark('link', { html: { href } }).run();
  const { parent } = selection.$from;
  const embed = parent.type.name === 'paragraph' && parent.content.size === 0 ? embedOf(href) : null;
  if (embed !== null) return insertFrame(editor, frameOf(embed));
  const marks = [{ type: 'link', attrs: { html: { href } } }];
  return editor.commands.insertContent({ type: 'text', text: href, marks });
}

/** A frame in a figure of its own in the place of the empty line, and a line to write on behind it. */
function insertFrame(editor: Editor, source: string): boolean {
  const { $from } = editor.state.selection;
  const frame = { type: 'paragraph', attrs: { loose: 'yes' }, content: [{ type: 'rawInline', attrs: { source } }] };
  const figure = { type: 'box', attrs: { element: 'figure' }, content: [frame] };
  return editor.commands.insertContentAt({ from: $from.before(), to: $from.after() }, [figure, { type: 'paragraph' }]);
}
