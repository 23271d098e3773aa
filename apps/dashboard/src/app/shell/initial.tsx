import type { Project } from '../../generated/types.gen.ts';
import styles from './shell.module.css';

/** White can be read on each. */
const TILES = ['#0f766e', '#7c3aed', '#b45309', '#be185d', '#1d4ed8', '#4d7c0f', '#b42318', '#475569'];

/** The first letter of a project’s name, on a color that stays the project’s own. */
export function Initial({ project }: { project: Pick<Project, 'id' | 'name'> }) {
  const tile = TILES[Number.parseInt(project.id.slice(0, 8), 16) % TILES.length];
  return (
    <span
      className={styles['initial']}
      data-initial={[...project.name][0]?.toUpperCase()}
      style={{ '--tile': tile } as React.CSSProperties}
    />
  );
}
