// Loaded into each service that a local set-up starts: when the parent is gone, however it went, its end of our
// standard input closes, and the service stops itself as it would on SIGTERM. So nothing is left running behind a
// killed parent.
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.on('error', () => undefined);
process.stdin.resume();
process.stdin.unref();
