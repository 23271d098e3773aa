import { dateProblem } from './date-problem.ts';

const yearsFromNow = (years: number) => new Date(Date.now() + years * 365.25 * 86_400_000).toISOString();

describe('the publication date in the editor', () => {
  it('may be past, and lie ahead of a post that is not published', () => {
    for (const state of ['draft', 'published', 'unpublished'] as const) {
      expect(dateProblem('2025-08-08T10:00:00.000Z', state)).toBeNull();
    }
    expect(dateProblem(yearsFromNow(1), 'draft')).toBeNull();
    expect(dateProblem(yearsFromNow(1), 'published')).toMatch(/needs a date in the past/);
  });

  it('is within the bounds that the service has', () => {
    expect(dateProblem('1969-12-31T23:59:00.000Z', 'draft')).toMatch(/from 1970/);
    expect(dateProblem(yearsFromNow(11), 'draft')).toMatch(/10 years/);
    expect(dateProblem(null, 'draft')).toMatch(/clocks/i);
  });
});
