-- The role under which queries of the policy layer run: it reads the tables that it is granted, and does nothing else.
-- As a superuser, once a database that is asked:
--   psql --dbname DATABASE --single-transaction --set ON_ERROR_STOP=1 --file deploy/postgres/asker.sql
-- then set its password (\password asker) and grant it the tables that are registered:
--   GRANT USAGE ON SCHEMA public TO asker;
--   GRANT SELECT ON student, enrollment TO asker;            -- or single columns: GRANT SELECT (id, grade) ON …
-- For the service's own tables that is deploy/postgres/service.sql.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'asker') THEN
    CREATE ROLE asker LOGIN;
  END IF;
  -- Temporary tables would be written, and could hide a table that is registered.
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO asker', current_database());
END
$$;

ALTER ROLE asker NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 50;
-- The service sets both as well, from QUERY_SECONDS; the role keeps them when somebody else uses it.
ALTER ROLE asker SET default_transaction_read_only = on;
ALTER ROLE asker SET statement_timeout = '10min';
ALTER ROLE asker SET idle_in_transaction_session_timeout = '10min';
ALTER ROLE asker SET search_path = public;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
-- The planner's statistics hold values of people: the most common ones, and the extremes.
REVOKE SELECT ON pg_catalog.pg_stats, pg_catalog.pg_stats_ext, pg_catalog.pg_stats_ext_exprs FROM PUBLIC;
