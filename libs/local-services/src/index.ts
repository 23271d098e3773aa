export { buildDashboard } from './build-dashboard.ts';
export { buildPackages } from './packages/build-packages.ts';
export { packPackages, PUBLISHED_PACKAGES } from './packages/pack-packages.ts';
export { startLocalServices, type LocalServices, type LocalServicesOptions } from './local-services.ts';
export { nodeOptionsOf } from './node-options.ts';
export { OwnerApiError, signIn, whenProjectIsKnown, type OwnerClient } from './owner-client.ts';
export { prismaFolderOf, type AssembledServices, type ServiceProcess } from './service-process.ts';
export { createLocalSettings, loadLocalSettings, type LocalSettings } from './settings.ts';
export { ORIGIN_TEMPLATE } from './dashboard-files.ts';
