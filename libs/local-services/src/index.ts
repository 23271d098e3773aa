export { buildDashboard } from './build-dashboard.ts';
export { startLocalServices, type LocalServices, type LocalServicesOptions } from './local-services.ts';
export { nodeOptionsOf } from './node-options.ts';
export { OwnerApiError, signIn, whenProjectIsKnown, type OwnerClient } from './owner-client.ts';
export { prismaFolderOf, type AssembledServices, type ServiceProcess } from './service-process.ts';
export { createLocalSettings, loadLocalSettings, type LocalSettings } from './settings.ts';
