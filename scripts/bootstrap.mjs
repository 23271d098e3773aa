// The first step of every root command: installs what is missing, generates the Prisma clients and the dashboard's API
// client, and hands over to the pinned Node. It imports nothing before it knows that this Node is new enough.
const OLDEST = 20;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Node ${process.versions.node} is too old: install Node ${OLDEST} or newer (https://nodejs.org), then try again.`,
  );
  process.exit(1);
}
import('./bootstrap/run.mjs');
