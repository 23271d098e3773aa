type Written = Readonly<{
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  heal_links: boolean;
  /** Where links to other posts lead. */
  links: 'site' | 'live';
  standard_webhooks: boolean;
  /** What a system is told, as it is typed. */
  settings: Readonly<Record<string, string>>;
}>;

/** Only what was changed here is sent: somebody else may have changed the rest. */
export function changedFields(saved: Written, written: Written): Partial<Written> {
  return {
    ...(written.name !== saved.name && { name: written.name }),
    ...(written.url !== saved.url && { url: written.url }),
    ...(written.heal_links !== saved.heal_links && { heal_links: written.heal_links }),
    ...(written.links !== saved.links && { links: written.links }),
    ...(written.standard_webhooks !== saved.standard_webhooks && { standard_webhooks: written.standard_webhooks }),
    ...(!areEqual(written.headers, saved.headers) && { headers: written.headers }),
    ...(!areEqual(written.settings, saved.settings) && { settings: written.settings }),
  };
}

function areEqual(one: Written['headers'], other: Written['headers']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
