import { createContext, use, type ReactNode } from 'react';
import type { Project } from '../generated/types.gen.ts';

export const ProjectContext = createContext<Project | null>(null);

/** The project of the page’s address. */
export function useProject(): Project {
  const project = use(ProjectContext);
  if (project === null) throw new Error('This page is not below /projects/{id}.');
  return project;
}

/** Whether the person may do what only owners of the project may. */
export function useIsOwner(): boolean {
  return useProject().role === 'owner';
}

/** What an editor may not do is not shown to one. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  return useIsOwner() ? children : null;
}
