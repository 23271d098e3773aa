import fc from 'fast-check';
import { nextRun, timesOfWeek, type Cadence } from './next-run.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const daily = (time_zone: string, ...times: string[]): Cadence => ({
  ...{ time_zone, times, per_week: null },
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
});
const runsAfter = (cadence: Cadence, after: string, count: number) => {
  const runs: string[] = [];
  for (let at = new Date(after); runs.length < count;) {
    at = nextRun(cadence, at);
    runs.push(at.toISOString());
  }
  return runs;
};

describe('the next run of an autopilot', () => {
  it('is on the clock of its time zone', () => {
    const cadence = { time_zone: 'Asia/Tokyo', days: ['mon', 'thu'], times: ['09:00'], per_week: null };
    expect(runsAfter(cadence, '2026-11-22T12:00:00Z', 3)).toEqual([
      '2026-11-23T00:00:00.000Z',
      '2026-11-26T00:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ]);
  });

  it('is later than the instant, not at it', () => {
    const at = '2026-11-23T09:00:00.000Z';
    expect(nextRun(daily('UTC', '09:00'), new Date(at)).toISOString()).toBe('2026-11-24T09:00:00.000Z');
  });

  it('keeps its time of day when the clock is changed', () => {
    expect(runsAfter(daily('Europe/Berlin', '09:00'), '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
  });

  it('comes later where the clock leaves its time out, and once where it shows it twice', () => {
    expect(runsAfter(daily('Europe/Berlin', '02:30'), '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(runsAfter(daily('Europe/Berlin', '02:30'), '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(runsAfter(daily('Australia/Lord_Howe', '02:15'), '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-03T15:45:00.000Z',
      '2026-10-04T15:15:00.000Z',
    ]);
  });

  it('is one of so many a week, evenly spread', () => {
    const cadence = { days: ['fri', 'mon', 'wed'], times: ['18:00', '06:00'], per_week: 3 };
    expect(timesOfWeek(cadence).map(({ day, hour }) => [day, hour])).toEqual([
      [0, 6],
      [2, 6],
      [4, 6],
    ]);
  });

  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const cadences = fc
    .record({
      time_zone: fc.constantFrom(...zones, 'Africa/Casablanca', 'America/St_Johns', 'Asia/Tehran'),
      days: fc.uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), { minLength: 1 }),
      times: fc.uniqueArray(
        fc
          .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 15, 30, 59) })
          .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
        { minLength: 1, maxLength: 5 },
      ),
    })
    .chain((given) =>
      fc
        .option(fc.integer({ min: 1, max: given.days.length * given.times.length }))
        .map((per_week): Cadence => ({ ...given, per_week })),
    );
  const instants = fc.date({ min: new Date('2026-01-01Z'), max: new Date('2029-12-31Z'), noInvalidDate: true });

  it('is always ahead, within two weeks, and the same for every instant before it', () => {
    fc.assert(
      fc.property(cadences, instants, fc.double({ min: 0, max: 0.999, noNaN: true }), (cadence, after, share) => {
        const run = nextRun(cadence, after);
        const waitMs = run.getTime() - after.getTime();
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(WEEK_MS + 2 * HOUR_MS);
        const meanwhile = new Date(after.getTime() + Math.floor(waitMs * share));
        expect(nextRun(cadence, meanwhile)).toEqual(run);
      }),
    );
  });

  it('shows one of its times on the clock, unless the clock leaves that out', () => {
    fc.assert(
      fc.property(cadences, instants, (cadence, after) => {
        const run = nextRun(cadence, after);
        const shown = (at: Date) =>
          new Intl.DateTimeFormat('en-GB', {
            timeZone: cadence.time_zone,
            ...{ hour: '2-digit', minute: '2-digit', weekday: 'short' },
          }).format(at);
        const text = shown(run);
        const isTime = cadence.times.some((time) => text.endsWith(time));
        const offsets = [-24, 24].map((hours) => shown(new Date(run.getTime() + hours * HOUR_MS)).slice(-5));
        const isNearChange = new Set([...offsets, text.slice(-5)]).size > 1;
        expect(isTime || isNearChange).toBe(true);
        if (isTime) expect(cadence.days).toContain(text.slice(0, 3).toLowerCase());
      }),
    );
  });

  it('comes as often a week as it is to', () => {
    fc.assert(
      fc.property(cadences, instants, (cadence, after) => {
        const weeks = 8;
        let runs = 0;
        for (let at = nextRun(cadence, after); at.getTime() <= after.getTime() + weeks * WEEK_MS;) {
          runs += 1;
          at = nextRun(cadence, at);
        }
        const perWeek = cadence.per_week ?? cadence.days.length * cadence.times.length;
        // The clock may be put forward or back in these weeks, which moves the runs of an hour over their edge.
        expect(Math.abs(runs - weeks * perWeek)).toBeLessThanOrEqual(mostInAnHour(cadence.times));
      }),
      { numRuns: 30 },
    );
  });
});

/** Of times of a day, written as 08:15. */
function mostInAnHour(times: readonly string[]): number {
  const minutes = times.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return Math.max(...minutes.map((from) => minutes.filter((at) => (at - from + 1_440) % 1_440 <= 60).length));
}
