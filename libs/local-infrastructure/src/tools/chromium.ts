/** Where Chromium may be: `CHROMIUM` names it, else the one without windows, which draws with half the work, is first. */
export const CHROMIUM_PROGRAMS: readonly string[] = process.env['CHROMIUM']
  ? [process.env['CHROMIUM']]
  : [
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ];
