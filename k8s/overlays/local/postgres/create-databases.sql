-- The services' databases, one each, and their permissions (ADR 3). PostgreSQL's image runs this for a new data folder. A
-- superuser can run it again, also on servers that already have the databases:
--   psql -U <superuser> -d postgres -f create-databases.sql
-- The passwords are environment variables: MIGRATIONS_PASSWORD, CONTENT_SERVICE_PASSWORD, … (npm run make-secrets).
\set ON_ERROR_STOP on
\set migrations migrations
\getenv password MIGRATIONS_PASSWORD
SELECT format('CREATE ROLE %I', :'migrations') WHERE to_regrole(:'migrations') IS NULL \gexec
ALTER ROLE :"migrations" LOGIN PASSWORD :'password';
REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC;

\set service content_service
\getenv password CONTENT_SERVICE_PASSWORD
\ir service-database.psql
\set service public_read_service
\getenv password PUBLIC_READ_SERVICE_PASSWORD
\ir service-database.psql
\set service webhook_dispatcher
\getenv password WEBHOOK_DISPATCHER_PASSWORD
\ir service-database.psql
