import { destinationContract } from './destination-contract.ts';
import { peersToTry } from './peer.ts';

for (const peer of peersToTry()) destinationContract(peer);
