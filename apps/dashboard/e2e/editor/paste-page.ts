import { cleanPasted } from '../../src/pages/editor/writing/clean-pasted.ts';

Object.assign(globalThis, { cleanPasted });
