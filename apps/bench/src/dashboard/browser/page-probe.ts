/** What the page itself has seen of one step. Times in milliseconds. */
export interface StepMeasurement {
  /** From the step’s first click or key to the paint after the page’s last change; of a load, from its beginning. */
  readonly paintedMs: number;
  /** From the step’s first click or key to the next paint, by Event Timing, in steps of 8; 0 where it was below 16. */
  readonly nextPaintMs: number;
  /** How long each frame took that was longer than 50. */
  readonly longFrames: readonly number[];
  /** From request to first byte, of each call of the API. */
  readonly answers: readonly number[];
}

/** When a step has ended: this long nothing has changed, and nothing is awaited. */
export interface StepEnd {
  /** The main heading before the step, where the step leads to another page. */
  readonly leaves: string | null;
  readonly quietMs: number;
  readonly timeoutMs: number;
}

export interface Probe {
  begin(): void;
  settle(until: StepEnd): Promise<StepMeasurement>;
  /** How long keys took, from the event to the paint after it; `saving` where a call that saves was under way. */
  takeKeys(): { readonly ms: number; readonly saving: boolean }[];
  /** The same by Event Timing, those above 16 ms only. */
  takeSlowKeys(): number[];
}

declare global {
  interface Window {
    readonly probe: Probe;
  }
}

/** Runs in the page before its own scripts, so it refers to nothing outside itself. */
export function installProbe(): void {
  let began = 0;
  let first: number | null = 0;
  let changed = 0;
  let painted = 0;
  let waits = false;
  let calls = 0;
  let saves = 0;
  let nextPaintMs = 0;
  let longFrames: number[] = [];
  let keys: { ms: number; saving: boolean }[] = [];
  let slowKeys: number[] = [];

  /** Runs it once the frame that is due has been painted. */
  const afterPaint = (then: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });
  new MutationObserver(() => {
    changed = performance.now();
    if (waits) return;
    waits = true;
    afterPaint(() => {
      waits = false;
      painted = performance.now();
    });
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });

  const takeInput = (event: Event) => (first ??= event.timeStamp);
  addEventListener('click', takeInput, { capture: true });
  addEventListener('wheel', takeInput, { capture: true, passive: true });
  addEventListener(
    'keydown',
    (event) => {
      takeInput(event);
      const saving = saves > 0;
      afterPaint(() => keys.push({ ms: performance.now() - event.timeStamp, saving }));
    },
    { capture: true },
  );

  const observe = (
    init: PerformanceObserverInit & { durationThreshold?: number },
    take: (e: PerformanceEntry) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe(init);
  observe({ type: 'long-animation-frame' }, ({ startTime, duration }) => {
    if (startTime + duration > began) longFrames.push(duration);
  });
  observe({ type: 'event', durationThreshold: 16 }, ({ name, startTime, duration }) => {
    if (startTime >= began && (name === 'click' || name === 'keydown')) nextPaintMs = Math.max(nextPaintMs, duration);
    if (name === 'keydown') slowKeys.push(duration);
  });

  const send = window.fetch.bind(window);
  window.fetch = async (...given) => {
    const method = given[0] instanceof Request ? given[0].method : given[1]?.method;
    calls += 1;
    if (method === 'PATCH') saves += 1;
    try {
      return await send(...given);
    } finally {
      calls -= 1;
      if (method === 'PATCH') saves -= 1;
    }
  };

  const hasSettled = ({ leaves, quietMs }: StepEnd) => {
    const heading = document.querySelector('h1')?.textContent ?? null;
    return (
      heading !== null &&
      heading !== leaves &&
      calls === 0 &&
      !waits &&
      document.querySelector('[aria-label^="Loading"]') === null &&
      performance.now() - Math.max(changed, painted, began) > quietMs
    );
  };

  const probe: Probe = {
    begin() {
      performance.clearResourceTimings();
      began = performance.now();
      [first, changed, painted, nextPaintMs, longFrames] = [null, 0, 0, 0, []];
    },
    settle: (until) =>
      new Promise((resolve, reject) => {
        const deadline = performance.now() + until.timeoutMs;
        const look = () => {
          if (hasSettled(until)) {
            const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
            resolve({
              paintedMs: Math.max(0, painted - (first ?? began)),
              nextPaintMs,
              longFrames,
              answers: entries
                .filter(({ name }) => new URL(name).pathname.startsWith('/blog/'))
                .map(({ requestStart, responseStart }) => responseStart - requestStart),
            });
          } else if (performance.now() > deadline) {
            reject(new Error(`${location.pathname} has not come to rest: ${calls} calls under way.`));
          } else {
            setTimeout(look, 25);
          }
        };
        look();
      }),
    takeKeys: () => keys.splice(0),
    takeSlowKeys: () => slowKeys.splice(0),
  };
  keys = [];
  slowKeys = [];
  Object.defineProperty(window, 'probe', { value: probe });
}
