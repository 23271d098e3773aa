import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import type { Image } from '../../generated/types.gen.ts';
import { images as text } from '../../strings/images.ts';
import { Badge } from '../looks/badge.tsx';
import { formatBytes } from './format-bytes.ts';
import styles from './image-grid.module.css';

/** The library as tiles, to manage images or to pick one. */
export function ImageGrid(props: {
  images: readonly Image[];
  /** What pressing a tile does to the image of that name. */
  nameOf: (name: string) => string;
  onOpen: (image: Image) => void;
  /** Where one is picked: the image that is chosen. */
  chosenId?: string;
}) {
  return (
    <ul className={styles['grid']} aria-label={text.list}>
      {props.images.map((image) => (
        <Tile
          key={image.id}
          image={image}
          nameOf={props.nameOf}
          onOpen={() => props.onOpen(image)}
          {...(props.chosenId !== undefined && { isChosen: image.id === props.chosenId })}
        />
      ))}
    </ul>
  );
}

function Tile(props: { image: Image; nameOf: (name: string) => string; onOpen: () => void; isChosen?: boolean }) {
  const { image, nameOf, onOpen, isChosen } = props;
  const [isBroken, setBroken] = useState(false);
  const name = image.name === '' ? text.unnamed : image.name;
  return (
    <li>
      <button
        type="button"
        className={styles['tile']}
        aria-label={nameOf(name)}
        aria-pressed={isChosen}
        onClick={onOpen}
      >
        {isBroken ? (
          <ImageOff />
        ) : (
          // The button has the image’s name.
          <img src={image.url} alt="" loading="lazy" onError={() => setBroken(true)} />
        )}
      </button>
      <p className={styles['name']} title={name}>
        {name}
      </p>
      <p className={styles['size']}>{text.size(image.width, image.height, formatBytes(image.bytes))}</p>
      {(image.alt === '' || image.unused_since !== null) && (
        <p className={styles['notes']}>
          {image.alt === '' && <Badge tone="warning">{text.noAlt}</Badge>}
          {image.unused_since !== null && <Badge>{text.notUsed}</Badge>}
        </p>
      )}
    </li>
  );
}
