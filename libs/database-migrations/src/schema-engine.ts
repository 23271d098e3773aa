// Prisma's own schema engine, as the WebAssembly build it publishes to npm: no native binary is downloaded, so
// migrations also run on machines and in images without access to Prisma's servers.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { openMigrationAdapter } from './migration-adapter.ts';

/** Part of every JavaScript engine, but typed only together with a browser's DOM. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

export type SchemaEngine = bindings.SchemaEngine;
export type MigrationList = bindings.MigrationList;

/** No table and no enum is managed by anything but the migrations. */
export const noFilters: bindings.SchemaFilter = { externalTables: [], externalEnums: [] };

/** A Prisma schema: where it is and what it says. */
export interface PrismaSchema {
  readonly path: string;
  readonly content: string;
}

let loaded: Promise<void> | undefined;

/**
 * Runs `work` with an engine connected to `databaseUrl`, and disconnects it afterwards. `scriptError` is what
 * PostgreSQL said about a script that failed.
 */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  schema: PrismaSchema,
  work: (engine: SchemaEngine, scriptError: () => unknown) => Promise<Result>,
): Promise<Result> {
  loaded ??= loadWasm();
  await loaded;
  const adapter = openMigrationAdapter(databaseUrl);
  try {
    const datamodels: [string, string][] = [[schema.path, schema.content]];
    const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapter.factory);
    try {
      return await work(engine, adapter.scriptError);
    } finally {
      engine.free();
    }
  } finally {
    await adapter.dispose();
  }
}

async function loadWasm(): Promise<void> {
  // A panic inside the engine is reported through this global, and leaves the promise waited for unsettled for ever:
  // the thrown error becomes an unhandled rejection, which ends the process with the reason.
  (globalThis as { PRISMA_WASM_PANIC_REGISTRY?: unknown }).PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message: string) {
      throw new Error(`Prisma's schema engine failed: ${message}`);
    },
  };
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withQuietTimers(bindings) });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}

/** The engine leaves the ten-second timer of its own lock running: it must not keep a finished process from exiting. */
function withQuietTimers(imports: object): object {
  return Object.fromEntries(
    Object.entries(imports).map(([name, value]: [string, unknown]) =>
      name.startsWith('__wbg_setTimeout_')
        ? [name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs >>> 0).unref()]
        : [name, value],
    ),
  );
}
