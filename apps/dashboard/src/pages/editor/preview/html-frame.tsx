import { useComputedColorScheme } from '@mantine/core';

/**
 * HTML of a post in a frame that runs nothing, sends nothing and reaches nothing of the page around it. Links open in
 * another tab.
 */
export function HtmlFrame(props: { title: string; html: string; height: string }) {
  const scheme = useComputedColorScheme();
  return (
    <iframe
      title={props.title}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<!doctype html><html lang="" style="color-scheme: ${scheme}"><meta charset="utf-8"><title>${escapeText(props.title)}</title><base target="_blank"><style>${STYLE}</style><body><main>${props.html}</main>`}
      style={{
        width: '100%',
        height: props.height,
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 4,
        colorScheme: scheme,
      }}
    />
  );
}

/** Plain, because each site has looks of its own. */
const STYLE = `
body { max-width: 720px; margin: 24px auto; padding-inline: 20px; font: 17px/1.65 system-ui, sans-serif; background: Canvas; color: CanvasText; overflow-wrap: anywhere }
h1, h2, h3, h4 { line-height: 1.25 }
img, video { max-width: 100%; height: auto; border-radius: 6px }
iframe { max-width: 100% }
table { display: block; overflow-x: auto; border-collapse: collapse }
td, th { border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); padding: 6px 12px; text-align: start }
pre { overflow-x: auto; padding: 12px 16px; border-radius: 8px; background: color-mix(in srgb, CanvasText 7%, Canvas) }
blockquote { margin-inline: 0; padding-inline-start: 16px; border-inline-start: 3px solid color-mix(in srgb, CanvasText 25%, Canvas) }
figure { margin-inline: 0 }
.added { background: color-mix(in srgb, green 20%, Canvas) }
.removed { background: color-mix(in srgb, red 20%, Canvas); text-decoration: line-through }
`;

/** Text between tags. */
export const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
