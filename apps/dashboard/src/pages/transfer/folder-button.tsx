import { Button } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { notify } from '../../parts/notify.ts';
import { transfer as text } from '../../strings/transfer.ts';
import { belowFolder, isPost, isSent, picturesToSend, zipFolder, type FolderFile } from './zip-folder.ts';

const readAll = (files: readonly File[]): Promise<FolderFile[]> =>
  Promise.all(
    files.map(async (file) => ({
      path: belowFolder(file.webkitRelativePath),
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );

/** Has a folder chosen, and packs its posts and the images that they name into an archive. */
export function FolderButton(props: {
  onFolder: (name: string, archive: Blob) => void;
  onRefused: (reason: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [packing, setPacking] = useState(false);
  const pack = async (files: readonly File[]) => {
    const sent = files.filter(({ webkitRelativePath }) => isSent(webkitRelativePath));
    const [first] = sent;
    if (first === undefined) {
      props.onRefused(text.noFiles);
      return;
    }
    setPacking(true);
    try {
      const read = await readAll(sent);
      const texts = read.flatMap(({ path, bytes }) => (isPost(path) ? [new TextDecoder().decode(bytes)] : []));
      const candidates = files.map((file) => ({ path: file.webkitRelativePath, size: file.size, file }));
      const bytes = read.reduce((total, file) => total + file.bytes.length, 0);
      const pictures = picturesToSend(candidates, texts, { files: read.length, bytes });
      read.push(...(await readAll(pictures.map(({ file }) => file))));
      props.onFolder(first.webkitRelativePath.split('/')[0] ?? first.name, zipFolder(read));
    } catch (error) {
      notify.failed(error);
    } finally {
      setPacking(false);
    }
  };
  return (
    <>
      {/* The button is what people press. */}
      <input
        ref={input}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same folder may be chosen again after a change.
          event.currentTarget.value = '';
          if (files.length > 0) void pack(files);
        }}
      />
      <Button leftSection={<FolderOpen />} loading={packing} onClick={() => input.current?.click()}>
        {text.folder}
      </Button>
    </>
  );
}
