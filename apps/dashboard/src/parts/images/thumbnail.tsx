import { Image } from 'lucide-react';
import { useState } from 'react';
import styles from './thumbnail.module.css';
import { thumbnailUrls } from './thumbnail-urls.ts';

/** A post's hero image, small, beside its title; a placeholder where it has none or it can't be loaded. */
export function Thumbnail({ url }: { url: string | null }) {
  // Keyed, because another image starts with its own smallest variant again.
  return <Picture key={url} urls={thumbnailUrls(url)} />;
}

function Picture({ urls }: { urls: readonly string[] }) {
  const [failed, setFailed] = useState(0);
  const src = urls[failed];
  return (
    <span className={styles['thumbnail']} data-thumbnail aria-hidden>
      {src === undefined ? (
        <Image />
      ) : (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(failed + 1)}
        />
      )}
    </span>
  );
}
