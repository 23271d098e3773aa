import { destinationContract } from '../../test/peers/destination-contract.ts';
import { startDevToStandIn } from '../../test/peers/stand-ins/devto.ts';
import { startShopifyStandIn } from '../../test/peers/stand-ins/shopify.ts';
import { startWebflowStandIn } from '../../test/peers/stand-ins/webflow.ts';
import { PROVIDER_APIS } from './open-destination.ts';

// Providers that no test can have an account at: each is a server that answers as its documentation says.
const standIns = await Promise.all([startWebflowStandIn(), startShopifyStandIn(), startDevToStandIn()]);
afterAll(() => Promise.all(standIns.map((standIn) => standIn[Symbol.asyncDispose]())));

for (const { peer, apis } of standIns) destinationContract(peer, { ...PROVIDER_APIS, ...apis });
