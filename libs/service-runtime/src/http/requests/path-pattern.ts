/**
 * What fits a path with its parameters in braces, `/projects/{projectId}`, as routers read it: upper case is lower case,
 * and one slash at the end is none.
 */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
