/** The URL of a link as it was typed: `example.com` is a site. Null where the service would not keep it. */
export function readAddress(typed: string): string | null {
  const address = typed.trim();
  if (address === '') return null;
  if (/^[#/?]/.test(address) && !address.startsWith('//')) return address;
  const scheme = /^([a-z][a-z\d+.-]*):(?!\d)/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    if (/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(address)) return `mailto:${address}`;
    return URL.canParse(`https://${address}`) && /\.|^localhost\b/.test(address)
      ? `https://${address.replace(/^\/\//, '')}`
      : null;
  }
  return ['http', 'https', 'mailto', 'tel'].includes(scheme) ? address : null;
}
