/** What a way of running Kafka is given. */
export interface KafkaBackendOptions {
  readonly dataDir: string;
  readonly port?: number | undefined;
  readonly disposable?: boolean | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A broker that speaks TLS only, asks who is there (SCRAM-SHA-512), and denies everything that no ACL allows. */
export interface KafkaSecurity {
  /** PEM texts of the broker's certificate and its key (PKCS #8). */
  readonly certificate: string;
  readonly key: string;
  /** Passwords by name. */
  readonly users: Readonly<Record<string, string>>;
  /** The one of them that may do everything. */
  readonly superUser: string;
}

/** What a way of running Kafka gives back. */
export interface KafkaBackend {
  readonly brokers: string[];
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
}

/**
 * One KRaft node that is broker and controller. Every factor is 1, and groups form immediately. A busy machine can stop
 * everything for seconds: the session stays as long as Kafka has it (9 s), or the controller would take its only broker
 * for dead, and every topic would lose its leader.
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
  'controlled.shutdown.enable': 'false',
  'log.index.size.max.bytes': '1048576',
  // What compaction remembers of keys: 128 MB unless set, taken at the start and never touched by topics of this size.
  'log.cleaner.dedupe.buffer.size': '4194304',
};

/**
 * For a broker that shares a small machine with all that it serves. A small young generation that is there from the
 * start: to collect the 100 MB that the JVM would choose, and to take its pages from the system meanwhile, stopped it
 * for up to 80 ms, this for 10. And one compiler, the quick one: the other takes the processor from the clients for
 * minutes.
 */
export const kafkaJvmOptions: readonly string[] = [
  '-Xms96m',
  '-Xmx512m',
  '-Xmn16m',
  '-XX:+AlwaysPreTouch',
  '-XX:TieredStopAtLevel=1',
];

/** How long a broker may take to start, in milliseconds: seconds, but minutes on a busy machine. */
export const kafkaStartTimeoutMs = 180_000;
