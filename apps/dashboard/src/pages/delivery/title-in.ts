/** The post’s title in a body as sent; null where there is none, or the body was cut. */
export function titleIn(body: string | null | undefined): string | null {
  if (body == null) return null;
  try {
    const { title } = JSON.parse(body) as { title?: unknown };
    return typeof title === 'string' ? title : null;
  } catch {
    return null;
  }
}
