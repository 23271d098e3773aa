/** What people call a webhook: its name, or as much of its address as is shown, such as “site.example/••••”. */
export const nameOfWebhook = ({ name, url }: { readonly name: string; readonly url: string }): string =>
  name !== '' ? name : url.replace(/^https?:\/\//, '').replace(/\/$/, '');
