export const schedule = {
  tomorrow: (time: string) => `Tomorrow ${time}`,
  monday: (time: string) => `Monday ${time}`,
  pick: 'Pick',
  at: 'Date and time',
};
