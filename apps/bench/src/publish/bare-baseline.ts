import { Agent, request } from 'node:http';

/**
 * How long a bare `node:http` POST of the body takes until the receiver has answered: the floor under every delivery.
 */
export async function bareReceiverRoundTrip(url: string, content: string, times: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const body = Buffer.from(JSON.stringify({ content }));
  const durations: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    await new Promise<void>((resolve, reject) => {
      const call = request(
        url,
        { method: 'POST', agent, headers: { 'Content-Type': 'application/json', 'Content-Length': body.length } },
        (answer) => {
          answer.resume();
          answer.once('end', resolve);
        },
      );
      call.once('error', reject);
      call.end(body);
    });
    durations.push(performance.now() - startedAt);
  }
  agent.destroy();
  return durations;
}
