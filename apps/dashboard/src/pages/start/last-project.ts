const KEY = 'blog-content.project';

/** Which project was open last in this browser. */
export function lastProject(): string | null {
  return localStorage.getItem(KEY);
}

export function rememberProject(projectId: string): void {
  localStorage.setItem(KEY, projectId);
}
