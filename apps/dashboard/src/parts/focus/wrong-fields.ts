/** The fields of a form that say what is wrong with them, in their order, and their words. Password fields of Mantine have `data-invalid` only. */
export const saidAtFields = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLElement>('[aria-invalid=true], input[data-invalid=true]')].map((field) => ({
    field,
    words: (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  }));

/** Brings it into the middle of the window, where no header covers it, with the focus on it. */
export function goTo(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'center' });
}
