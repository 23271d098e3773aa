/** The generation that is shown. It is in the URL, so that a reload keeps showing it. */
export interface GenerateSearch {
  readonly generation?: string;
}

export function readGenerateSearch({ generation }: Readonly<Record<string, unknown>>): GenerateSearch {
  return typeof generation === 'string' ? { generation } : {};
}
