import type { Autopilot } from '../../../generated/types.gen.ts';
import { fieldsOf, readTimes, requestOf } from './settings-request.ts';

const set = {
  enabled: true,
  time_zone: 'Europe/Berlin',
  days: ['fri', 'tue'],
  times: ['09:30'],
  per_week: null,
  publish: 'after_review',
  review_hours: 12,
  defaults: { tone: 'plain', length: 800 },
  monthly_posts: 8,
  monthly_cost: null,
} as unknown as Autopilot;

describe('the settings of the autopilot', () => {
  it('are sent as they were, where nothing was changed', () => {
    expect(requestOf(fieldsOf(set))).toEqual({
      enabled: true,
      time_zone: 'Europe/Berlin',
      days: ['tue', 'fri'],
      times: ['09:30'],
      per_week: null,
      publish: 'after_review',
      review_hours: 12,
      defaults: { tone: 'plain', length: 800 },
      monthly_posts: 8,
      monthly_cost: null,
    });
  });

  it('take an empty limit for none', () => {
    expect(requestOf({ ...fieldsOf(set), monthly_posts: '' }).monthly_posts).toBeNull();
  });
});

describe('times of day', () => {
  it('are read with commas or spaces, put in order, each once', () => {
    expect(readTimes('15:00, 9:30 15:00')).toEqual({ times: ['09:30', '15:00'] });
    expect(readTimes('')).toEqual({ times: [] });
  });

  it.each(['25:00', '9.30', '12:60', 'noon'])('%s is none', (word) => {
    expect(readTimes(`10:00, ${word}`)).toEqual({ wrong: word });
  });
});
