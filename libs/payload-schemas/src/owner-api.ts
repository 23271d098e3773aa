export * from './owner-api/accounts.ts';
export * from './owner-api/projects.ts';
export * from './owner-api/blogs.ts';
export * from './owner-api/publishing.ts';
export * from './owner-api/agent-keys.ts';
export * from './owner-api/transfer.ts';
export * from './owner-api/integrations.ts';
export * from './owner-api/problem.ts';
