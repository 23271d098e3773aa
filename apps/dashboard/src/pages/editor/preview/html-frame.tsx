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
body { margin: 16px; font: 16px/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; overflow-wrap: anywhere }
h1, h2, h3, h4 { line-height: 1.25 }
img, video, iframe { max-width: 100%; height: auto }
table { display: block; overflow-x: auto; border-collapse: collapse }
td, th { border: 1px solid; padding: 4px 8px; text-align: start }
pre { overflow-x: auto; padding: 12px; border: 1px solid }
blockquote { margin-inline: 0; padding-inline-start: 16px; border-inline-start: 3px solid }
figure { margin-inline: 0 }
.added { background: color-mix(in srgb, green 20%, Canvas) }
.removed { background: color-mix(in srgb, red 20%, Canvas); text-decoration: line-through }
`;

/** Text that stands between tags. */
export const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
