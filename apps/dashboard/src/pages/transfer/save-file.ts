/** Has the browser save a file that was fetched. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The name that the service gives the file. */
export const fileNameOf = ({ headers }: Response): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1];
