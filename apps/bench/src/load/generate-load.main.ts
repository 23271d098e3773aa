import { answerParent } from '../processes/child.ts';
import { generateLoad } from './generate-load.ts';

// A process of its own, so that nothing else of the bench delays its reading of the clock.
answerParent(generateLoad);
