/** For what runs inside the bench: only what goes wrong is said. */
export const quietLogger = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
