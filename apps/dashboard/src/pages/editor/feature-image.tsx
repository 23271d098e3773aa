import { Button } from '@mantine/core';
import { ImagePlus, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { editor as strings } from '../../strings/editor.ts';
import styles from './post-editor.module.css';
import { ImagePicker } from '../../parts/images/image-picker.tsx';

const text = strings.settings;

/** The feature image above the title. Its buttons appear where the pointer or the keyboard is. */
export function FeatureImage(props: { shown: string | null; isOwn: boolean; onChange: (url: string | null) => void }) {
  const { shown } = props;
  const [isUploading, setUploading] = useState(false);
  return (
    <div className={styles['feature']} data-filled={shown !== null || undefined}>
      {shown !== null && <img src={shown} alt="" />}
      <div className={styles['featureTools']}>
        <Button
          variant={shown === null ? 'subtle' : 'default'}
          color="gray"
          size={shown === null ? 'sm' : 'xs'}
          leftSection={shown === null ? <ImagePlus /> : <Upload />}
          onClick={() => setUploading(true)}
        >
          {shown === null ? text.heroAdd : text.heroReplace}
        </Button>
        {props.isOwn && (
          <Button variant="default" size="xs" leftSection={<Trash2 />} onClick={() => props.onChange(null)}>
            {text.heroRemove}
          </Button>
        )}
      </div>
      {isUploading && (
        <ImagePicker
          onClose={() => setUploading(false)}
          onPicked={({ url }) => {
            props.onChange(url);
            setUploading(false);
          }}
        />
      )}
    </div>
  );
}
