import { Container } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { common } from '../strings/common.ts';
import styles from './brand/brand.module.css';
import { Brand } from './brand/brand.tsx';

/** A page that belongs to no project: the brand, which leads home, and a column below it, `wide` for tables. */
export function Alone({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <Container size={wide ? 1112 : 672} py="lg">
      <header>
        <Link to="/" aria-label={common.product} className={styles['home']}>
          <Brand />
        </Link>
      </header>
      <main style={{ paddingBlock: 24 }}>{children}</main>
    </Container>
  );
}
