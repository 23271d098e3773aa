import { createMetrics } from '@blog-content/service-runtime';
import { countEmails } from './count-emails.ts';

it('each kind and outcome of an email is counted from 0, so that an alert sees the first one', async () => {
  const metrics = createMetrics('tested');
  const count = countEmails(metrics);
  const series = (value: number) =>
    `content_emails_total{kind="password_reset",outcome="failed",service="tested"} ${value}\n`;
  expect(await metrics.registry.metrics()).toContain(series(0));
  count('password_reset', 'failed');
  const text = await metrics.registry.metrics();
  expect(text).toContain(series(1));
  expect(text.match(/^content_emails_total\{.* 0$/gm)).toHaveLength(5 * 5 - 1);
});
