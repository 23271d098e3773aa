import type { SeenBody, SeenRequest } from './watched-receiver.ts';

/** Answers receivers only as far as they are let: how much work is left does not depend on how fast it is done. */
export interface PacedAnswers {
  /** Waits for its turn, then answers; to be given to the receiver. */
  readonly respond: (request: SeenRequest, body: SeenBody) => Promise<number>;
  /** How many requests wait for their turn, those included whose sender is gone. */
  waiting(): number;
  /** Lets so many more requests be answered, those first that wait; `Infinity` for all. */
  let(count: number): void;
  /** Lets no more. */
  hold(): void;
  /** How many more are let without another word. */
  left(): number;
}

/** At first none is let. `answer` decides when and with what status those are answered whose turn it is. */
export function paceAnswers(answer: (request: SeenRequest, body: SeenBody) => Promise<number>): PacedAnswers {
  let left = 0;
  const waiting: (() => void)[] = [];

  return {
    async respond(request, body) {
      if (left > 0) left -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return answer(request, body);
    },
    waiting: () => waiting.length,
    let(count) {
      left += count;
      const next = waiting.splice(0, left);
      left -= next.length;
      for (const go of next) go();
    },
    hold() {
      left = 0;
    },
    left: () => left,
  };
}
