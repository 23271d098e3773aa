export { PortInUseError, freePort } from './free-port.ts';
export { startPostgres, type RunningPostgres, type StartPostgresOptions } from './start-postgres.ts';
export {
  KafkaUnavailableError,
  kafkaAvailability,
  type KafkaAvailability,
  type KafkaMode,
  type KafkaSource,
} from './kafka-availability.ts';
export { pingKafka } from './ping-kafka.ts';
export { startKafka, type RunningKafka, type StartKafkaOptions } from './start-kafka.ts';
export type { KafkaSecurity } from './kafka-settings.ts';
