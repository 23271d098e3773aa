import { Checkbox, Tabs } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { uploadImage } from '../../generated/sdk.gen.ts';
import type { Image } from '../../generated/types.gen.ts';
import { imagePicker as text } from '../../strings/images.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { fieldErrors } from '../explain-error.ts';
import { TextInput } from '../forms/inputs.tsx';
import { useProject } from '../project.tsx';
import { ChosenFile } from './chosen-file.tsx';
import { LibraryChoice } from './library-choice.tsx';
import { libraryChanged } from './library-changed.ts';
import { IMAGE_TYPES, sendImage } from './upload-image.ts';

export interface PickedImage {
  readonly url: string;
  readonly alt: string;
}

type Place = 'upload' | 'library' | 'url';
const PLACES: readonly Place[] = ['upload', 'library', 'url'];

/** Asks for an image and its alt text: a new file, one from the library, or one from a URL. */
export function ImagePicker(props: {
  /** A file that was dropped or pasted; without one, the dialog asks. */
  file?: File | null;
  /** How many files wait behind this one. */
  more?: number;
  onClose: () => void;
  onPicked: (image: PickedImage) => void;
}) {
  const { file: dropped = null, more = 0 } = props;
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [place, setPlace] = useState<Place>('upload');
  const [file, setFile] = useState(dropped);
  const [listed, setListed] = useState<Image | null>(null);
  const [url, setUrl] = useState('');
  const [alt, setAlt] = useState('');
  const [isDecoration, setDecoration] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isRefused = file !== null && !IMAGE_TYPES.split(',').includes(file.type);
  const isAltMissing = !isDecoration && alt.trim() === '';
  const isChosen = { upload: file !== null && !isRefused, library: listed !== null, url: url.trim() !== '' }[place];

  const pick = useMutation({
    mutationFn: async () => {
      const given = isDecoration ? '' : alt.trim();
      const image = await imageOf(given);
      if (place !== 'library') void libraryChanged(queries);
      props.onPicked({ url: image.url, alt: given });
    },
  });
  async function imageOf(given: string): Promise<{ readonly url: string }> {
    if (place === 'library' && listed) return listed;
    if (place === 'upload' && file) return (await sendImage(projectId, file, given)).image;
    return (await uploadImage({ path: { projectId }, body: { url: url.trim(), alt: given }, throwOnError: true })).data;
  }
  return (
    <FormDialog
      title={text.title}
      confirm={place === 'library' ? text.add : text.upload}
      disabled={!isChosen}
      size="lg"
      sending={pick}
      onSubmit={() => {
        setAsked(true);
        if (isChosen && !isAltMissing) pick.mutate();
      }}
      onClose={props.onClose}
    >
      {dropped === null && (
        <Tabs
          value={place}
          onChange={(to) => {
            setPlace((to as Place | null) ?? 'upload');
            pick.reset();
          }}
        >
          <Tabs.List>
            {PLACES.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {text.places[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {place === 'upload' && <ChosenFile file={file} isRefused={isRefused} onChoose={setFile} />}
      {place === 'library' && (
        <LibraryChoice
          chosen={listed}
          onChoose={(image) => {
            setListed(image);
            if (alt.trim() === '') setAlt(image.alt);
          }}
        />
      )}
      {place === 'url' && (
        <TextInput
          type="url"
          label={text.url}
          placeholder="https://"
          maxLength={2048}
          value={url}
          error={pick.error === null ? undefined : fieldErrors(pick.error)['url']}
          onChange={(event) => setUrl(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <TextInput
        label={text.alt}
        description={text.altHint}
        value={alt}
        maxLength={1000}
        disabled={isDecoration}
        error={isAsked && isAltMissing && text.altMissing}
        onChange={(event) => setAlt(event.currentTarget.value)}
        data-autofocus={dropped !== null || undefined}
      />
      <Checkbox
        label={text.decorative}
        checked={isDecoration}
        onChange={(event) => setDecoration(event.currentTarget.checked)}
      />
      {more > 0 && <span>{text.remaining(more)}</span>}
    </FormDialog>
  );
}
