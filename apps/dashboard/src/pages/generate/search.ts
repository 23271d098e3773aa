/** The generation that is shown, as it stands in the address: a reload goes on showing it. */
export interface GenerateSearch {
  readonly generation?: string;
}

export function readGenerateSearch({ generation }: Readonly<Record<string, unknown>>): GenerateSearch {
  return typeof generation === 'string' ? { generation } : {};
}
