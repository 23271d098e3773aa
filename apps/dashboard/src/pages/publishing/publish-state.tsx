import { Badge } from '../../parts/looks/badge.tsx';
import { stateOf, type StatedPublish } from './state-of-publish.ts';

export function PublishState({ publish }: { publish: StatedPublish }) {
  const { words, tone } = stateOf(publish);
  return <Badge tone={tone}>{words}</Badge>;
}
