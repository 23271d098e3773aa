/** What people call a webhook: its name, or the host of its URL. */
export const nameOfWebhook = ({ name, url }: { readonly name: string; readonly url: string }): string =>
  name !== '' ? name : (URL.parse(url)?.host ?? url);
