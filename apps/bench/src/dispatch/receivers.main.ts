import { answerParent } from '../processes/child.ts';
import { type ReceiversQuestion, startReceivers } from './receivers.ts';

const receivers = startReceivers();
answerParent<ReceiversQuestion>((question) => receivers.answer(question));
