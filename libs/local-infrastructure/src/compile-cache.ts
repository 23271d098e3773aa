const folder = process.env['NODE_COMPILE_CACHE'];

/**
 * The variable by which Node keeps compiled sources, for processes that get nothing else of our environment: with it a
 * service loads in half the processor time.
 */
export const compileCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
