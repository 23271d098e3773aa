// An input of every test (nx.json): what passed without Kafka has not passed with it. Says whether there is one, never
// where.
import { kafkaAvailability } from '@blog-content/local-infrastructure';

const isGiven = (process.env['TEST_KAFKA_BROKERS'] ?? '') !== '';
const forTests = isGiven || (await kafkaAvailability()).available;
const onJava = (await kafkaAvailability('java')).available;
console.log(`Kafka for tests: ${forTests ? 'there' : 'none'}; on Java: ${onJava ? 'there' : 'none'}`);
