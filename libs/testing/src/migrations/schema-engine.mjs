#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Prisma's schema engine in its WebAssembly build, behind the interface of the native program: Prisma's command line
// runs it through PRISMA_SCHEMA_ENGINE_BINARY, so machines that can't download the native one can use every command.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';

/** PostgreSQL's one-byte type "char", which its catalog uses and the adapter refuses, and a type the catalog lacks. */
const CHAR = 18;
const CHARACTER_ARRAY = 1002;

const { values, positionals } = parseArgs({
  options: { datasource: { type: 'string' }, datamodels: { type: 'string', multiple: true } },
  allowPositionals: true,
});
// `cli can-connect-to-database`: the request that follows says it better.
if (positionals[0] === 'cli') process.exit();

globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message(message) {
    throw new Error(`Prisma's schema engine failed: ${message}`);
  },
};

const { url } = JSON.parse(values.datasource);
const postgres = new PrismaPg({ connectionString: url, max: 1 });
const factory = bindMigrationAwareSqlAdapterFactory({
  provider: 'postgres',
  adapterName: postgres.adapterName,
  async connect() {
    const adapter = await postgres.connect();
    const pool = adapter.underlyingDriver();
    // The adapter cuts scripts at every semicolon, also inside function bodies.
    adapter.executeScript = async (script) => void (await pool.query(script));
    const query = pool.query.bind(pool);
    pool.query = async (...args) => {
      const result = await query(...args);
      for (const field of result.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = CHARACTER_ARRAY;
      return result;
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql) => {
      const { columnTypes, ...result } = await queryRaw(sql);
      const { Character, CharacterArray } = ColumnTypeEnum;
      return { ...result, columnTypes: columnTypes.map((type) => (type === CharacterArray ? Character : type)) };
    };
    return adapter;
  },
  connectToShadowDb: () => Promise.reject(new Error('Shadow databases are not supported.')),
});
const datamodels = values.datamodels?.map((path) => [path, readFileSync(path, 'utf8')]);
const engine = await SchemaEngine.new({ datamodels }, () => undefined, factory);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const answer = await engine[method](params).then(
    (result) => ({ result }),
    (error) => ({ error: { code: 4466, message: error.message, data: { is_panic: false, message: error.message } } }),
  );
  if (answer.result?.stdout) send({ id: 1, method: 'print', params: { content: answer.result.stdout } });
  send({ id, ...answer });
}
process.exit();
