export {
  createReceiver,
  type PostAnswer,
  type Receiver,
  type ReceiverAnswer,
  type ReceiverOptions,
} from './create-receiver.ts';
export { diagnose, type Diagnosis } from './diagnose.ts';
export type { DeletedEvent, PingEvent, PostEvent, PostImage, UnpublishedEvent, WebhookEvent } from './events.ts';
export {
  kvStore,
  memoryStore,
  postgresStore,
  POSTGRES_TABLE,
  redisStore,
  type IdempotencyStore,
  type KvNamespace,
  type PostgresClient,
  type RedisClient,
} from './idempotency-stores.ts';
export { rehostImages, type FetchedImage, type RehostOptions } from './rehost-images.ts';
export { isSigned, isStandardSigned, SIGNATURE_HEADER, type ReadHeader } from './signature.ts';
