/** What a file of scripts/drills exports as `drill`. @throws if something isn't as it should be */
export type Drill = (context: DrillContext) => Promise<void>;

export interface DrillContext {
  /** Arguments after the drill's name. */
  readonly args: readonly string[];
  /** A new folder that is deleted afterwards. Everyone may enter it: PostgreSQL doesn't run as root. */
  readonly folder: string;
  /** Ends what the drill starts: last in, first out, also after a signal. */
  readonly resources: AsyncDisposableStack;
  /** Prints a step, or a figure, with the seconds since the start. */
  readonly say: (line: string) => void;
  /** Prints what holds. @throws if it doesn't */
  readonly check: (what: string, holds: boolean) => void;
}
