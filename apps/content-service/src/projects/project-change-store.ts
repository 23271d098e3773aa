import { memberRole, projectsTopic, suspensionScope, type AuthorState } from '@blog-content/payload-schemas';
import type { Author, Project } from '../generated/prisma/client.ts';
import type { Transaction } from '../platform/database/open-database.ts';
import { emit } from '../platform/database/outbox-store.ts';

/**
 * The project's row, locked until the transaction ends: its changes and events come one after the other. Null when
 * there is none or it was deleted. A transaction that locks an account too does that first.
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<Project | null> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR UPDATE`;
  return locked.length === 0 ? null : tx.project.findUnique({ where: { id: projectId } });
}

/** Somebody who acts on a project. */
export interface ProjectActor {
  readonly projectId: string;
  /** The account. */
  readonly id: string;
}

/**
 * Does what {@link lockProject} does for an owner of the project; null for everybody else. The role is checked again
 * here, because an owner who was removed since the request began must change nothing.
 */
export async function lockProjectAsOwner(tx: Transaction, { projectId, id }: ProjectActor): Promise<Project | null> {
  const project = await lockProject(tx, projectId);
  if (project === null) return null;
  return (await tx.projectMember.count({ where: { projectId, accountId: id, role: 'owner' } })) > 0 ? project : null;
}

/** Keeps the project from being deleted until the transaction ends; others may hold it too. False when it is gone. */
export async function shareLockProject(tx: Transaction, projectId: string): Promise<boolean> {
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR KEY SHARE`;
  return held.length > 0;
}

/** Numbers a change of a project or its members and emits it, in the transaction that has locked and changed it. */
export async function emitProjectChange(tx: Transaction, projectId: string, now: Date): Promise<Project> {
  const project = await tx.project.update({ where: { id: projectId }, data: { eventNumber: { increment: 1 } } });
  await emitProjectSaved(tx, project, now);
  return project;
}

/** Puts `project.saved` into the outbox: the project as it is now, with its members and authors. */
export async function emitProjectSaved(tx: Transaction, project: Project, now: Date): Promise<void> {
  const members = await tx.projectMember.findMany({
    where: { projectId: project.id },
    orderBy: { accountId: 'asc' },
  });
  const authors = await tx.author.findMany({ where: { projectId: project.id }, orderBy: { position: 'asc' } });
  await emit(
    tx,
    projectsTopic,
    {
      event: 'project.saved',
      project_id: project.id,
      project_event_number: project.eventNumber,
      name: project.name,
      site_url: project.siteUrl,
      members: members.map(({ accountId, role }) => ({ account_id: accountId, role: memberRole.parse(role) })),
      suspended: suspensionScope.nullable().parse(project.suspended),
      authors: authors.map(authorStateOf),
    },
    now,
  );
}

/** What other services get of an author. */
type AuthorValues = Omit<Author, 'id' | 'position' | 'projectId' | 'accountId' | 'createdAt'>;

/** An author as `blog.projects` has them. */
export function authorStateOf(author: AuthorValues): AuthorState {
  return {
    slug: author.slug,
    former_slugs: author.formerSlugs,
    name: author.name,
    bio: author.bio,
    avatar_url: author.avatarUrl,
    links: author.links as AuthorState['links'],
    same_as: author.sameAs,
    email: author.email,
  };
}
