import { answerParent } from '../processes/child.ts';
import { runBareLoop } from './bare-loop.ts';

answerParent(runBareLoop);
