export { NO_OPTIMIZING_COMPILERS, startBrowser } from './browser.ts';
export {
  createChangingPosts,
  differences,
  readServed,
  type CallProject,
  type ChangingPosts,
  type KnownPost,
} from './linked-posts/changing-posts.ts';
export { checkLinks, type LinkFindings } from './linked-posts/check-links.ts';
export { createRenamingPosts, type RenamingPosts } from './linked-posts/renaming-posts.ts';
export { readRedirects, watchLinks, type WatchedLinks } from './linked-posts/watch-links.ts';
export { startCopyingReceivers, type CopyingReceivers } from './linked-posts/copying-receivers.ts';
export { compileCache } from '@blog-content/local-infrastructure';
export { draftMigration } from './migrations/draft-migration.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export {
  createEmptyDatabase,
  createTestDatabase,
  dropTestDatabases,
  testDatabaseUrl,
  type TestDatabase,
  type TestDatabaseOptions,
} from './test-database.ts';
export { startTestInfrastructure, type TestInfrastructure } from './test-infrastructure.ts';
export { testKafkaBrokers } from './test-servers.ts';
export { startCollector, type CollectedSpan, type Collector } from './peers/collector.ts';
export { startMailServer, type MailServer, type MailServerOptions, type ReceivedMail } from './peers/mail-server.ts';
export { startReceiver } from './receiver.ts';
export type { ReceivedRequest, Receiver, ReceiverAnswer, Respond, StartReceiverOptions } from './receiver.ts';
export { seededRandom } from './seeded-random.ts';
export { startSilentRelay, type SilentRelay } from './peers/silent-relay.ts';
export { createTestCertificate, type TestCertificate } from './test-certificate.ts';
