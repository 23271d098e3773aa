import preset from '../../jest.preset.js';

export default { ...preset, setupFiles: ['<rootDir>/test/load-sanitize-html.ts'] };
