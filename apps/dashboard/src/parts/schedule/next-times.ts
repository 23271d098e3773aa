const HOUR = 9;

/** The moments that are offered for a schedule: tomorrow and the next Monday, at nine by the clocks of this device. */
export function nextTimes(now = new Date()): { readonly tomorrow: string; readonly monday: string } {
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return { tomorrow: morningIn(1, now), monday: morningIn(toMonday, now) };
}

function morningIn(days: number, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, HOUR).toISOString();
}
