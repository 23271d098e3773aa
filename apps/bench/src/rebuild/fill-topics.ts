import { openEventLog, toEnvelope, type EventEnvelope } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic } from '@blog-content/payload-schemas';
import { makeParagraphs, projectIdOf } from '../read/data-set/data-set.ts';
import { publishedEvent } from '../read/publisher.ts';
import { quietLogger } from '../processes/quiet-logger.ts';

const APPENDED_AT_ONCE = 500;
const SOURCE = { source: '/content-service' };
/** Appends what content-service would have: the projects, and one publish of each post, of about 3 kB. */
export async function fillTopics(databaseUrl: string, size: { projects: number; posts: number }): Promise<void> {
  const eventLog = await openEventLog({ kind: 'postgres', databaseUrl }, quietLogger);
  try {
    await eventLog.ensureTopics([projectsTopic, lifecycleTopic]);
    await eventLog.append(Array.from({ length: size.projects }, (_, project) => projectSaved(project)));
    const paragraphs = makeParagraphs(512);
    for (let from = 0; from < size.posts; from += APPENDED_AT_ONCE) {
      const count = Math.min(APPENDED_AT_ONCE, size.posts - from);
      await eventLog.append(Array.from({ length: count }, (_, at) => blogPublished(from + at, size, paragraphs)));
    }
  } finally {
    await eventLog.close();
  }
}

function projectSaved(project: number): EventEnvelope {
  return toEnvelope(
    projectsTopic,
    {
      event: 'project.saved',
      project_id: projectIdOf(project),
      project_event_number: 1,
      name: `Project ${project}`,
      site_url: `https://site-${project}.example`,
      members: [],
    },
    SOURCE,
  );
}

function blogPublished(
  index: number,
  { projects }: { projects: number },
  paragraphs: readonly string[],
): EventEnvelope {
  const place = Math.floor(index / projects);
  const text = Array.from({ length: 5 }, (_, at) => paragraphs[(index * 5 + at * 7) % paragraphs.length]).join('');
  const event = publishedEvent({
    projectId: projectIdOf(index % projects),
    slug: `post-${place}`,
    content: `<h2>Post ${place}</h2><p>Read <a href="[INTERNAL:post-${place + 1}]">the next post</a>.</p>${text}`,
  });
  return toEnvelope(lifecycleTopic, event, SOURCE);
}
