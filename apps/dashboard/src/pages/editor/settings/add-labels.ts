/** The labels with those that were typed, separated by commas, without duplicates. */
export function addLabels(labels: readonly string[], typed: string): string[] {
  return [...new Set([...labels, ...typed.split(',').map((label) => label.trim())])].filter((label) => label !== '');
}
