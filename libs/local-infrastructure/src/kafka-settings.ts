/** What a way of running Kafka is given. */
export interface KafkaBackendOptions {
  readonly dataDir: string;
  readonly port?: number | undefined;
  readonly disposable?: boolean | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** What a way of running Kafka gives back. */
export interface KafkaBackend {
  readonly brokers: string[];
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/**
 * One KRaft node that is broker and controller. Every factor is 1, groups form at once, and a broker that was killed
 * may register again after a second and a half instead of nine.
 */
export const kafkaSettings: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'inter.broker.listener.name': 'PLAINTEXT',
  'auto.create.topics.enable': 'false',
  'num.partitions': '1',
  'default.replication.factor': '1',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '4',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  'broker.session.timeout.ms': '1500',
  'broker.heartbeat.interval.ms': '300',
  'controlled.shutdown.enable': 'false',
  'log.index.size.max.bytes': '1048576',
};
