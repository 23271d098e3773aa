import { rename, writeFile } from 'node:fs/promises';

/** What a shell needs to work with the stack, under the names that the guides use. */
export interface EnvironmentFacts {
  readonly origin: string;
  readonly owner: { readonly email: string; readonly password: string; readonly token: string };
  readonly projectId: string;
  readonly publicKey: string;
  readonly agentKey: string;
  readonly siteUrl: string;
  readonly webhookSecret: string;
  /** Of Kafka; empty on the PostgreSQL event log. */
  readonly brokers: readonly string[];
}

/** The shell file that `. env.sh` reads. */
export function environmentFile(facts: EnvironmentFacts): string {
  const { origin, owner, projectId, publicKey, agentKey, siteUrl, webhookSecret, brokers } = facts;
  const values = {
    ORIGIN: origin,
    PROJECT: projectId,
    EMAIL: owner.email,
    PASSWORD: owner.password,
    TOKEN: owner.token,
    AGENT_KEY: agentKey,
    WEBHOOK_SECRET: webhookSecret,
    SITE_URL: siteUrl,
    BLOG_API: origin,
    BLOG_KEY: publicKey,
    BLOG_PROJECT: projectId,
    BLOG_PASSWORD: owner.password,
    ...(brokers.length > 0 && { BROKERS: brokers.join(',') }),
  };
  return `# Written by npm start. Read it into a shell with: . <this file>
# TOKEN lasts half an hour. While npm start runs it is renewed here: read the file again.
${Object.entries(values)
  .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  .join('')}`;
}

/** Writes the file for its owner alone; a shell that reads it meanwhile gets the whole of the old or the new one. */
export async function writeEnvironmentFile(file: string, facts: EnvironmentFacts): Promise<void> {
  await writeFile(`${file}.new`, environmentFile(facts), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
