import { randomUUID } from 'node:crypto';
import type { deliveryDetail, samplePayload, testResult } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { projectSaved } from './events.ts';
import type { Answer } from './running-dispatcher.ts';
import type { ReceiverProject, SecureGround } from './grounds/secure-ground.ts';
import { eventually } from '@blog-content/testing';

export type TestResult = z.infer<typeof testResult>;
export type SamplePayload = z.infer<typeof samplePayload>;
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

/** What members of a project call about its receivers and deliveries. */
export interface WebhookCalls {
  readonly editor: string;
  test(account?: string): Promise<Answer<TestResult>>;
  sendSample(account?: string): Promise<Answer<TestResult>>;
  showSample(account?: string): Promise<Answer<SamplePayload>>;
  detail(deliveryId: string, account?: string): Promise<Answer<DeliveryDetail>>;
  /** The log, `query` with its question mark. */
  list(query?: string): Promise<Answer<{ items: DeliveryDetail[]; next_cursor: string | null }>>;
  redeliver(deliveryId: string, account?: string): Promise<Answer<DeliveryDetail>>;
  redeliverFailed<Body = Record<string, unknown>>(since: Date, account?: string): Promise<Answer<Body>>;
  integration(): Promise<Answer>;
}

/** Calls about the receiver of a project, as its owner unless another account is given; the project gets an editor. */
export async function webhookCalls(on: SecureGround, project: ReceiverProject): Promise<WebhookCalls> {
  const { dispatcher, ground, owner } = on;
  const editor = randomUUID();
  const root = `/projects/${project.projectId}`;
  const webhook = `${root}/webhooks/${project.integrationId}`;
  await ground.append(projectSaved(project.projectId, [owner], 2, [editor]));
  await eventually(async () => {
    const { status } = await dispatcher.call('GET', webhook, editor);
    if (status !== 200) throw new Error('the editor is not known yet');
  });
  return {
    editor,
    test: (account = owner) => dispatcher.call('POST', `${webhook}/test`, account),
    sendSample: (account = owner) => dispatcher.call('POST', `${webhook}/sample`, account),
    showSample: (account = owner) => dispatcher.call('GET', `${webhook}/sample`, account),
    detail: (deliveryId, account = owner) => dispatcher.call('GET', `${root}/deliveries/${deliveryId}`, account),
    list: (query = '') => dispatcher.call('GET', `${root}/deliveries${query}`, owner),
    redeliver: (deliveryId, account = owner) =>
      dispatcher.call('POST', `${root}/deliveries/${deliveryId}/redeliver`, account),
    redeliverFailed: (since, account = owner) =>
      dispatcher.call('POST', `${webhook}/redeliver-failed`, account, { since: since.toISOString() }),
    integration: () => dispatcher.call('GET', webhook, owner),
  };
}
