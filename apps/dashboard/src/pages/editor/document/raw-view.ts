import type { NodeViewRenderer } from '@tiptap/core';
import type { Node as DocumentNode } from '@tiptap/pm/model';
import { parseHtml } from './elements.ts';

/** Where a raw node's HTML is while it is parsed. */
export const RAW = 'data-editor-raw';
const EMBED = 'data-editor-embed';

/** Shows a player as a card with its name and URL, and other HTML as it is written. Nothing of it runs here. */
export const rawView: NodeViewRenderer = ({ node }) => {
  const dom = document.createElement(node.isInline ? 'span' : 'div');
  const show = ({ attrs }: DocumentNode) => {
    const source = String(attrs['source']);
    const frame = frameIn(source);
    dom.replaceChildren();
    dom.toggleAttribute(EMBED, frame !== null);
    if (frame === null) {
      dom.setAttribute(RAW, source);
      return;
    }
    dom.removeAttribute(RAW);
    const src = frame.getAttribute('src') ?? '';
    const [name, address] = [document.createElement('strong'), document.createElement('span')];
    name.textContent = frame.title || (URL.canParse(src) ? new URL(src).hostname : src);
    address.textContent = src.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\?.*/, '');
    dom.append(name, address);
  };
  show(node);
  return {
    dom,
    update(next) {
      if (next.type !== node.type) return false;
      show(next);
      return true;
    },
    ignoreMutation: () => true,
  };
};

function frameIn(source: string): HTMLIFrameElement | null {
  const root = parseHtml(source);
  const [frame] = root.children;
  return root.children.length === 1 && frame?.localName === 'iframe' ? (frame as HTMLIFrameElement) : null;
}
