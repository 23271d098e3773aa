/** Lets at most `count` of the calls be under way at once; the others wait, in the order they came. */
export function atMost<Arguments extends unknown[], Result>(
  count: number,
  call: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (...given) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call(...given);
    } finally {
      const next = waiting.shift();
      // The place is handed on: nobody who comes meanwhile gets it.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
