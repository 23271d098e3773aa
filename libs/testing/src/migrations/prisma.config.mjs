/** Set by `run-prisma.ts`. */
const { DATABASE_URL: url, PRISMA_SCHEMA: schema } = process.env;

export default { schema, datasource: { url } };
