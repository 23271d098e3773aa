import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';

const LOOPBACK = '127.0.0.1';

/** A container whose ports are open on loopback alone. One that does not start is not left behind. */
export class LoopbackContainer extends GenericContainer {
  #id: string | undefined;

  override async start(): Promise<StartedTestContainer> {
    try {
      return await super.start();
    } catch (error) {
      await this.#remove();
      throw error;
    }
  }

  protected override beforeContainerCreated(): Promise<void> {
    const ports = this.hostConfig.PortBindings as Record<string, { HostIp?: string; HostPort: string }[]>;
    for (const binding of Object.values(ports).flat()) binding.HostIp = LOOPBACK;
    return Promise.resolve();
  }

  protected override containerCreated(id: string): Promise<void> {
    this.#id = id;
    return Promise.resolve();
  }

  async #remove(): Promise<void> {
    if (this.#id === undefined) return;
    const { container } = await getContainerRuntimeClient();
    // Testcontainers itself may have removed it.
    await container
      .getById(this.#id)
      .remove({ force: true, v: true })
      .catch(() => undefined);
  }
}
