/** Languages that are offered for code. */
export const LANGUAGES: readonly string[] =
  'bash c cpp css diff go graphql html java javascript json jsx kotlin markdown php python ruby rust sql swift toml tsx typescript xml yaml'.split(
    ' ',
  );

const CLASS = /(?:^|\s)language-(\S+)/;

/** The language that the attributes of a `code` element name; empty where they name none. */
export const languageOf = (code: unknown): string => CLASS.exec(classOf(code))?.[1] ?? '';

/** The attributes of a `code` element with another language; empty takes it off. Other classes stay. */
export function codeClass(code: unknown, language: string): Readonly<Record<string, string>> {
  const { class: _, ...others } = code ? (code as Record<string, string>) : {};
  const rest = classOf(code).replace(CLASS, '').trim();
  const classes = [...(language === '' ? [] : [`language-${language}`]), ...(rest === '' ? [] : [rest])].join(' ');
  return { ...others, ...(classes !== '' && { class: classes }) };
}

const classOf = (code: unknown): string => (code ? ((code as Record<string, string>)['class'] ?? '') : '');
