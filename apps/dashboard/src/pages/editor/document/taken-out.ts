import { parseHtml } from './elements.ts';
import { eventHandlersIn } from './event-handlers.ts';

const FRAME = '<iframe>';

/**
 * What the service has taken out of a content when it was saved: elements, attributes and properties of styles, by
 * their names. How their values are spelt does not count, nor what the service has added.
 */
export function takenOut(sent: string, stored: string): readonly string[] {
  if (sent === stored) return [];
  const [before, after] = [elementsOf(sent), elementsOf(stored)];
  const left = new Set(after.map(({ localName }) => localName));
  return fewer([...markupOf(before, left), ...eventHandlersIn(sent)], markupOf(after, left));
}

const elementsOf = (html: string) => [...parseHtml(html).querySelectorAll('*')];

/** An element that is not left has taken its attributes along. */
function markupOf(elements: readonly Element[], left: ReadonlySet<string>): readonly string[] {
  const names = elements.map(({ localName }) => `<${localName}>`);
  return [
    // Parsers fix wrong nesting by adding or dropping elements. Some frames stay, and others go.
    ...new Set(names.filter((name) => name !== FRAME)),
    ...names.filter((name) => name === FRAME),
    ...elements
      .filter(({ localName }) => left.has(localName))
      .flatMap(({ attributes }) =>
        [...attributes].flatMap(({ name, value }) => (name === 'style' ? propertiesOf(value) : [name])),
      ),
  ];
}

const propertiesOf = (style: string): readonly string[] =>
  [...style.matchAll(/(?:^|;)\s*([\w-]+)\s*:/g)].map(([, name = '']) => `style: ${name.toLowerCase()}`);

/** What the one list has more often than the other, each once. */
export function fewer(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = Map.groupBy(after, (what) => what);
  return [...Map.groupBy(before, (what) => what)]
    .filter(([what, all]) => all.length > (left.get(what)?.length ?? 0))
    .map(([what]) => what);
}
