import { cadenceOf } from './cadence.ts';

const AUTOPILOT = { time_zone: 'Europe/Berlin', days: ['mon', 'thu'], times: ['09:30', '15:00'] } as const;
const WINTER = new Date('2026-11-28T12:00:00Z');

describe('the schedule of an autopilot, as its viewer reads it', () => {
  it('keeps the times of a viewer whose clocks show the same', () => {
    const { isSame, here, days } = cadenceOf(AUTOPILOT, 'Europe/Paris', WINTER);
    expect({ isSame, here, days }).toEqual({ isSame: true, here: [570, 900], days: ['mon', 'thu'] });
  });

  it('moves the times to the viewer’s zone', () => {
    const { isSame, here, there } = cadenceOf(AUTOPILOT, 'America/New_York', WINTER);
    expect({ isSame, here, there }).toEqual({ isSame: false, here: [210, 540], there: [570, 900] });
  });

  it('moves the days, too, where all times fall on another day', () => {
    const early = { ...AUTOPILOT, times: ['01:00', '02:00'] };
    expect(cadenceOf(early, 'America/New_York', WINTER)).toMatchObject({ days: ['wed', 'sun'], here: [1140, 1200] });
  });

  it('keeps the autopilot’s zone where the times fall on different days', () => {
    const around = { ...AUTOPILOT, times: ['01:00', '23:00'] };
    expect(cadenceOf(around, 'America/New_York', WINTER)).toMatchObject({ days: ['mon', 'thu'], here: null });
  });
});
