export { compileCache } from './compile-cache.ts';
export { PortInUseError, freePort } from './free-port.ts';
export { pgbouncerVersion, startPgbouncer, type RunningPgbouncer } from './postgres/start-pgbouncer.ts';
export { mountSmallDisk, signalPostgres, type SmallDisk } from './postgres/small-disk.ts';
export { startPostgres, type RunningPostgres, type StartPostgresOptions } from './postgres/start-postgres.ts';
export {
  KafkaUnavailableError,
  javaCommand,
  kafkaAvailability,
  type KafkaAvailability,
  type KafkaMode,
  type KafkaSource,
} from './kafka/kafka-availability.ts';
export { resolveKafkaJars } from './kafka/kafka-jars.ts';
export { pingKafka } from './kafka/ping-kafka.ts';
export { startKafka, type RunningKafka, type StartKafkaOptions } from './kafka/start-kafka.ts';
export type { KafkaSecurity } from './kafka/kafka-settings.ts';
export { startSmallModel, type RunningSmallModel } from './small-model/start-small-model.ts';
export { startS3, type RunningS3, type StartS3Options } from './s3/start-s3.ts';
export { s3Availability, S3UnavailableError, versitygw } from './s3/versitygw.ts';
export { goProgram, hasGoProgram } from './tools/go-program.ts';
export { CHROMIUM_PROGRAMS } from './tools/chromium.ts';
export { provideTools } from './tools/provide-tools.ts';
export { PG_BASEBACKUP, TOOLS, type Tool } from './tools/tools.ts';
