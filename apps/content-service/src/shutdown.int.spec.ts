import { startOwner } from '../test/owner.ts';
import { startRunningService } from '../test/running-service.ts';

it('a process that is told to stop answers publishes that wait for their turn before it ends, and makes none that it has refused', async () => {
  await using service = await startRunningService();
  const replica = await service.startReplica();
  const owner = await startOwner({ ...service, call: replica.call });
  const content = '<p>A sentence of a long post.</p>'.repeat(15_000);
  const blogs = [];
  for (let number = 0; number < 6; number += 1) blogs.push(await owner.newBlog({ content }));
  const asked = blogs.map((blog) => owner.publish(blog));
  // The first has its turn; the others would wait for longer than running answers may take by then.
  await Promise.race(asked);
  await replica.stop();
  const answers = await Promise.all(asked);
  const elsewhere = { ...service, ...(await startOwner(service)) };
  for (const [index, { status, headers }] of answers.entries()) {
    const { body } = await service.call('GET', `projects/${owner.project}/blogs/${blogs[index]?.id}`, {
      token: elsewhere.token,
    });
    expect([status, headers['retry-after'], body.state]).toEqual(
      status === 202 ? [202, undefined, 'published'] : [429, '2', 'draft'],
    );
  }
  expect(answers.map(({ status }) => status)).toContain(429);
});
