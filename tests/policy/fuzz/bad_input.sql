-- Bad input, one text a line: the text, ¦ where it is refused, and after ## a part of the reason; \n is a new line, \u a character's number.

-- no SQL
¦hello ## HELLO is not answered
¦SELECT ## single rows are not answered
¦; ## there is no query
¦;;; ## there is no query
¦how many respondents are there? ## HOW is not answered
¦{"query": "SELECT COUNT(*) FROM respondent"} ## { is not answered
¦<script>alert(1)</script> ## < is not answered
¦{{ 7 * 7 }} ## { is not answered
SELECT COUNT(*) FROM ¦{{ table }} ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM respondent WHERE region = {{ ¦region }} ## the function struct is not among those that are
¦{% raw %}SELECT COUNT(*) FROM respondent{% endraw %} ## {% is not answered
SELECT COUNT(*) FROM respondent WHERE region = '{{ region }}' AND ¦{% if x %} 1 = 1 {% endif %} ## the text is not SQL that can be read: something
¦${jndi:ldap://x/a} ## $ is not answered
SELECT COUNT(* ¦FROM respondent ## the text is not SQL that can be read: expecting
SELECT COUNT(*) FROM respondent ¦WHERE ## the text is not SQL that can be read: something
SELECT ¦COUNT(*) FROM respondent GROUP BY ## GROUP BY of nothing
SELECT COUNT(*) FROM respondent¦) ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FORM ¦respondent ## the text is not SQL that can be read: invalid ex
¦SELECT COUNT(*) FROM respondent WHERE region = 'x ## the text is not SQL: a quote or a comment has no
¦SELECT COUNT(*) FROM respondent WHERE region = "x ## the text is not SQL: a quote or a comment has no
¦FROM respondent SELECT COUNT(*) ## FROM is not answered
¦TABLE respondent ## TABLE is not answered
¦VALUES (1) ## VALUES is not answered
¦\x ## \ is not answered
¦\copy respondent to 'x' ## \ is not answered
¦.tables ## . is not answered
¦#!/bin/sh ## # is not answered
¦SELECT COUNT(*) FROM respondent WHERE CASE WHEN region ? THEN 1 END = 1 ## something is missing

-- several statements
SELECT COUNT(*) FROM respondent; ¦SELECT COUNT(*) FROM respondent ## there are several statements
SELECT COUNT(*) FROM respondent; ¦DELETE FROM respondent ## there are several statements
SELECT COUNT(*) FROM respondent;; ¦COMMIT ## there are several statements
; SELECT COUNT(*) FROM respondent; ¦x ## there are several statements
SELECT COUNT(*) FROM respondent; -- x\n¦DROP TABLE respondent ## there are several statements
¦BEGIN; SELECT COUNT(*) FROM respondent; COMMIT ## BEGIN is not answered

-- writes
¦INSERT INTO respondent VALUES (1) ## INSERT is not answered
¦INSERT INTO respondent SELECT * FROM respondent ## INSERT is not answered
¦UPDATE respondent SET region = 'x' ## UPDATE is not answered
¦DELETE FROM respondent ## DELETE is not answered
¦MERGE INTO respondent USING panel ON TRUE WHEN MATCHED THEN DELETE ## MERGE is not answered
¦REPLACE INTO respondent VALUES (1) ## REPLACE is not answered
¦TRUNCATE respondent ## TRUNCATE is not answered
¦CREATE TABLE x AS SELECT COUNT(*) FROM respondent ## CREATE is not answered
¦CREATE FUNCTION f() RETURNS INT AS 'SELECT 1' LANGUAGE sql ## CREATE is not answered
¦CREATE EXTENSION dblink ## CREATE is not answered
¦CREATE TEMP VIEW v AS SELECT 1 ## CREATE is not answered
¦DROP TABLE respondent ## DROP is not answered
¦ALTER TABLE respondent ADD COLUMN x INT ## ALTER is not answered
¦COPY respondent TO '/tmp/x' ## COPY is not answered
¦COPY (SELECT COUNT(*) FROM respondent) TO PROGRAM 'sh' ## COPY is not answered
¦ATTACH 'x.db' AS x ## ATTACH is not answered
¦DETACH x ## DETACH is not answered
¦PRAGMA table_info(respondent) ## PRAGMA is not answered
¦SET role = 'postgres' ## SET is not answered
¦RESET ALL ## RESET is not answered
¦SHOW server_version ## SHOW is not answered
¦CALL f() ## CALL is not answered
¦DO $$ BEGIN PERFORM pg_sleep(9); END $$ ## DO is not answered
¦EXECUTE x ## EXECUTE is not answered
¦PREPARE x AS SELECT COUNT(*) FROM respondent ## PREPARE is not answered
¦DEALLOCATE x ## DEALLOCATE is not answered
¦DECLARE c CURSOR FOR SELECT COUNT(*) FROM respondent ## DECLARE is not answered
¦FETCH ALL FROM c ## FETCH is not answered
¦GRANT SELECT ON respondent TO PUBLIC ## GRANT is not answered
¦REVOKE SELECT ON respondent FROM PUBLIC ## REVOKE is not answered
¦VACUUM ## VACUUM is not answered
¦ANALYZE respondent ## ANALYZE is not answered
¦REINDEX DATABASE x ## REINDEX is not answered
¦CLUSTER respondent ## CLUSTER is not answered
¦LOCK TABLE respondent ## LOCK is not answered
¦LISTEN x ## LISTEN is not answered
¦NOTIFY x ## NOTIFY is not answered
¦COMMENT ON TABLE respondent IS 'x' ## COMMENT is not answered
¦BEGIN ## BEGIN is not answered
¦COMMIT ## COMMIT is not answered
¦ROLLBACK ## ROLLBACK is not answered
¦SAVEPOINT x ## SAVEPOINT is not answered
¦CHECKPOINT ## CHECKPOINT is not answered
¦DISCARD ALL ## DISCARD is not answered
¦LOAD 'x' ## LOAD is not answered
¦INSTALL httpfs ## INSTALL is not answered
¦IMPORT DATABASE 'x' ## IMPORT is not answered
¦EXPORT DATABASE 'x' ## EXPORT is not answered
¦USE x ## USE is not answered
¦DESCRIBE respondent ## DESCRIBE is not answered
¦SUMMARIZE respondent ## SUMMARIZE is not answered
¦PIVOT respondent ON region USING COUNT(*) ## PIVOT is not answered
¦UNPIVOT respondent ON region INTO NAME n VALUE v ## UNPIVOT is not answered
¦EXPLAIN SELECT COUNT(*) FROM respondent ## EXPLAIN is not answered
¦EXPLAIN ANALYZE SELECT COUNT(*) FROM respondent ## EXPLAIN is not answered
¦EXPLAIN QUERY PLAN SELECT COUNT(*) FROM respondent ## EXPLAIN is not answered
WITH ¦x AS (DELETE FROM respondent RETURNING id) SELECT COUNT(*) FROM x ## DELETE is not answered
WITH ¦x AS (UPDATE respondent SET region = 'x' RETURNING id) SELECT COUNT(*) FROM x ## UPDATE is not answered
WITH ¦x AS (SELECT id FROM respondent) DELETE FROM respondent ## DELETE is not answered
WITH ¦x AS (SELECT id FROM respondent) INSERT INTO respondent SELECT * FROM x ## INSERT is not answered
SELECT COUNT(*) INTO ¦x FROM respondent ## INTO is not answered here
SELECT COUNT(*) INTO OUTFILE ¦'/tmp/x' FROM respondent ## the text is not SQL that can be read: invalid ex
SELECT ¦COUNT(*) FROM respondent FOR UPDATE ## FOR UPDATE is not answered here
SELECT ¦COUNT(*) FROM respondent FOR SHARE NOWAIT ## FOR UPDATE is not answered here
SELECT COUNT(*) FROM (DELETE ¦FROM respondent RETURNING id) x ## the text is not SQL that can be read: expecting

-- names
SELECT COUNT(*) FROM ¦respondents ## there is no relation respondents
SELECT COUNT(*) FROM ¦surveys_respondent ## there is no relation surveys_respondent
SELECT COUNT(*) FROM ¦auth_user ## there is no relation auth_user
SELECT COUNT(*) FROM ¦django_session ## there is no relation django_session
SELECT COUNT(*) FROM ¦public.respondent ## a schema name is not answered here
SELECT COUNT(*) FROM ¦main.respondent ## a schema name is not answered here
SELECT COUNT(*) FROM a.¦b.respondent ## a schema name is not answered here
SELECT COUNT(*) FROM a.¦b.c.d.e.respondent ## a schema name is not answered here
SELECT COUNT(¦regio) FROM respondent ## there is no column regio
SELECT COUNT(¦panel.id) FROM respondent ## no relation is called panel here
SELECT COUNT(¦respondent.region.x) FROM respondent ## a schema name is not answered here
SELECT COUNT((¦respondent).region) FROM respondent ## a name or number with this point is not answered
SELECT COUNT(¦public.respondent.region) FROM respondent ## a schema name is not answered here
SELECT COUNT(¦rowid) FROM respondent ## there is no column rowid
SELECT COUNT(¦ctid) FROM respondent ## there is no column ctid
SELECT COUNT(¦xmin) FROM respondent ## there is no column xmin
SELECT COUNT(¦oid) FROM respondent ## there is no column oid
SELECT COUNT(¦tableoid) FROM respondent ## there is no column tableoid
SELECT COUNT(¦_rowid_) FROM respondent ## there is no column _rowid_
SELECT COUNT(¦respondent) FROM respondent ## there is no column respondent
SELECT COUNT(*) FROM ¦respondent r JOIN panel r ON TRUE ## two relations are called r
SELECT COUNT(*) FROM respondent JOIN panel ON ¦id = 1 ## id is in several relations
SELECT COUNT(*) FROM respondent JOIN ¦panel USING (nothing) ## there is no column nothing
SELECT COUNT(*) FROM ONLY ¦respondent ## ONLY is not answered here
SELECT COUNT(*) FROM ¦information_schema.tables ## a schema name is not answered here
SELECT COUNT(*) FROM ¦information_schema.columns c, respondent ## a schema name is not answered here
SELECT COUNT(*) FROM ¦pg_catalog.pg_class ## a schema name is not answered here
SELECT COUNT(*) FROM ¦pg_class ## there is no relation pg_class
SELECT COUNT(*) FROM ¦pg_stats ## there is no relation pg_stats
SELECT COUNT(*) FROM ¦pg_shadow ## there is no relation pg_shadow
SELECT COUNT(*) FROM ¦pg_stat_activity ## there is no relation pg_stat_activity
SELECT COUNT(*) FROM ¦sqlite_master ## there is no relation sqlite_master
SELECT COUNT(*) FROM ¦sqlite_schema ## there is no relation sqlite_schema
SELECT COUNT(*) FROM ¦sqlite_sequence ## there is no relation sqlite_sequence
SELECT COUNT(*) FROM ¦dbstat ## there is no relation dbstat
SELECT COUNT(*) FROM ¦duckdb_tables ## there is no relation duckdb_tables
SELECT COUNT(*) FROM ¦duckdb_tables() ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦duckdb_settings() ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦"information_schema"."tables" ## a schema name is not answered here
SELECT COUNT(*) FROM ¦"information_schema.tables" ## there is no relation information_schema.tables
SELECT COUNT(*) FROM ¦'data.csv' ## there is no relation data.csv
SELECT COUNT(*) FROM ¦"data.parquet" ## there is no relation data.parquet
SELECT COUNT(*) FROM `respondent¦` ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM ¦[respondent] ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM ¦"respondent""; DROP TABLE respondent; --" ## there is no relation respondent"; DROP TABLE res
SELECT COUNT(*) FROM ¦"respondent"" WHERE 1=1 --" ## there is no relation respondent" WHERE 1=1 --
SELECT COUNT(*) FROM ¦"" ## there is no relation
SELECT COUNT(¦"") FROM respondent ## there is no column
SELECT COUNT(¦"region"" FROM auth_user --") FROM respondent ## there is no column region" FROM auth_user --
¦SELECT COUNT('region) FROM respondent ## the text is not SQL: a quote or a comment has no
SELECT COUNT(*) FROM U¦&"respond\0065nt" ## the text is not SQL that can be read: invalid ex

-- types
SELECT ¦SUM(region) FROM respondent ## sum of a text
SELECT ¦AVG(sex) FROM respondent ## avg of a text
SELECT COUNT(*) FROM respondent WHERE ¦region = 1 ## values of the types integer and text in one plac
SELECT COUNT(*) FROM respondent WHERE ¦region ## a text where a condition belongs
SELECT COUNT(*) FROM respondent WHERE ¦'x' ## a text where a condition belongs
SELECT COUNT(*) FROM respondent WHERE ¦1 ## a integer where a condition belongs
SELECT COUNT(*) FROM respondent WHERE ¦id + region = 1 ## arithmetic with a text
SELECT COUNT(*) FROM respondent WHERE -¦region = 1 ## arithmetic with a text
SELECT COUNT(*) FROM respondent WHERE NOT ¦region ## a text where a condition belongs
SELECT COUNT(*) FROM respondent WHERE ¦region AND TRUE ## a text where a condition belongs
SELECT COUNT(*) FROM respondent WHERE ¦region IN (1, 'x') ## values of the types integer and text in one plac
SELECT COUNT(*) FROM respondent WHERE ¦region BETWEEN 1 AND 2 ## values of the types integer and text in one plac
SELECT COUNT(*) FROM respondent WHERE ¦id LIKE '1%' ## LIKE compares a text with a literal pattern
SELECT COUNT(*) FROM respondent WHERE ¦COALESCE(region, 1) = 1 ## values of the types integer and text in one plac
SELECT COUNT(*) FROM respondent WHERE CASE WHEN TRUE THEN ¦1 ELSE 'x' END = 1 ## values of the types integer and text in one plac
SELECT COUNT(*) FROM invitation WHERE ¦sent_on = 20200101 ## values of the types date and integer in one plac
SELECT COUNT(*) FROM invitation WHERE ¦sent_on > 'yesterday' ## 'yesterday' is not a date like 1998-12-01
SELECT COUNT(*) FROM invitation WHERE sent_on > DATE ¦'2020-13-01' ## '2020-13-01' is not a date like 1998-12-01
SELECT COUNT(*) FROM invitation WHERE sent_on > DATE ¦'２０２０-01-01' ## '２０２０-01-01' is not a date like 1998-12-01
SELECT COUNT(*) FROM invitation WHERE ¦sent_on - sent_on = 1 ## arithmetic with a date
SELECT COUNT(*) FROM invitation WHERE ¦issued > 1 ## values of the types boolean and integer in one p
SELECT COUNT(*) FROM respondent HAVING ¦1 ## a integer where a condition belongs
SELECT COUNT(*) FROM respondent HAVING ¦COUNT(*) = 'x' ## values of the types decimal and text in one plac
SELECT COUNT(*) + ¦'x' FROM respondent ## arithmetic with a text
SELECT ¦COUNT(*) || 'x' FROM respondent ## || is not answered
SELECT COUNT(*) FROM respondent WHERE (¦id, region) = (1, 'x') ## a list in parentheses is not answered
SELECT COUNT(*) FROM respondent WHERE ¦ROW(id) = ROW(1) ## the function row is not among those that are ans
SELECT COUNT(*) FROM respondent WHERE region = ARRAY[¦'x'] ## the function array is not among those that are a
SELECT COUNT(*) FROM respondent WHERE ¦region[1] = 'x' ## [ ] is not answered
SELECT COUNT(*) FROM respondent WHERE ¦region -> 'x' = 'y' ## the function json_extract is not among those tha
SELECT COUNT(*) FROM respondent WHERE ¦region @> 'x' ## the function array_contains_all is not among tho
SELECT COUNT(*) FROM respondent WHERE ¦region ? 'x' ## the function j_s_o_n_b_contains_top_key is not a
SELECT COUNT(*) FROM respondent WHERE region = ANY(¦'{x}') ## a subquery cannot stand here
SELECT COUNT(*) FROM respondent WHERE ¦region COLLATE "C" = 'x' ## the function collate is not among those that are
SELECT COUNT(*) FROM respondent WHERE ¦sent_on AT TIME ZONE 'UTC' = 1 ## AT TIME ZONE is not answered
SELECT COUNT(*) FROM respondent WHERE ¦id & 1 = 1 ## & is not answered
SELECT COUNT(*) FROM respondent WHERE ¦id << 1 = 1 ## << is not answered
SELECT COUNT(*) FROM respondent WHERE ¦id ^ 2 = 1 ## the function power is not among those that are a
SELECT COUNT(*) FROM respondent WHERE ~¦id = 1 ## ~ is not answered
SELECT COUNT(*) FROM respondent WHERE |/ ¦id = 1 ## the function sqrt is not among those that are an
SELECT COUNT(*) FROM respondent WHERE @ id = ¦1 ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE id ¦! = 1 ## the text is not SQL that can be read: invalid ex

-- comments
¦SELECT COUNT(*) FROM respondent /* never ends ## the text is not SQL: a quote or a comment has no
¦SELECT COUNT(*) FROM respondent /* a /* b */ ## the text is not SQL: a quote or a comment has no
SELECT COUNT(*) FROM respondent *¦/ ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM/**/¦pg_class ## there is no relation pg_class
SELECT COUNT(*) FROM respondent/*!50000 WHERE SLEEP(5)*/ x ¦y ## the text is not SQL that can be read: invalid ex
¦SEL/**/ECT COUNT(*) FROM respondent ## SEL is not answered
SELECT pg_/**/sleep¦(9) FROM respondent ## the text is not SQL that can be read: invalid ex
SELECT /*+ SeqScan(respondent) */ ¦region FROM respondent ## single rows are not answered
¦-- ## there is no query
¦/* */ ## there is no query
¦# ## # is not answered

-- texts
SELECT COUNT(*) FROM respondent WHERE region = ¦$$it's$$ ## a text in dollar signs
SELECT COUNT(*) FROM respondent WHERE region = ¦U&'x' ## 
SELECT COUNT(*) FROM respondent WHERE region = ¦N'x' ## 
SELECT COUNT(*) FROM respondent WHERE region = 'a¦\u0000b' ## invisible character

-- functions
SELECT ¦pg_sleep(9), COUNT(*) FROM respondent ## the function pg_sleep is not among those that ar
SELECT COUNT(*) FROM respondent WHERE ¦pg_sleep(9) IS NULL ## the function pg_sleep is not among those that ar
SELECT COUNT(*) FROM respondent WHERE ¦random() < 0.5 ## the function rand is not among those that are an
SELECT COUNT(*) FROM respondent WHERE id = ¦rand() ## the function rand is not among those that are an
SELECT COUNT(*) FROM respondent ORDER BY ¦random() ## the function rand is not among those that are an
SELECT SUM(¦random()) FROM respondent ## the function rand is not among those that are an
SELECT ¦setseed(0.5), COUNT(*) FROM respondent ## the function setseed is not among those that are
SELECT COUNT(*) FROM respondent WHERE ¦now() > '2020-01-01' ## the function current_timestamp is not among thos
SELECT COUNT(*) FROM respondent WHERE CURRENT_TIMESTAMP > ¦'2020-01-01' ## the function current_timestamp is not among thos
SELECT COUNT(*) FROM invitation WHERE ¦sent_on = CURRENT_DATE ## the function current_date is not among those tha
SELECT COUNT(*) FROM invitation WHERE ¦sent_on = 'today' ## 'today' is not a date like 1998-12-01
SELECT COUNT(*) FROM invitation WHERE sent_on = DATE ¦'now' ## 'now' is not a date like 1998-12-01
SELECT current_user, ¦COUNT(*) FROM respondent ## the function current_user is not among those tha
SELECT session_user, ¦COUNT(*) FROM respondent ## the function session_user is not among those tha
SELECT ¦user, COUNT(*) FROM respondent ## there is no column user
SELECT ¦current_database(), COUNT(*) FROM respondent ## the function current_database is not among those
SELECT current_schema, ¦COUNT(*) FROM respondent ## the function current_schema is not among those t
SELECT ¦version(), COUNT(*) FROM respondent ## the function current_version is not among those
SELECT ¦sqlite_version(), COUNT(*) FROM respondent ## the function sqlite_version is not among those t
SELECT ¦current_setting('data_directory'), COUNT(*) FROM respondent ## the function current_setting is not among those
SELECT ¦set_config('role', 'x', false), COUNT(*) FROM respondent ## the function set_config is not among those that
SELECT COUNT(*) FROM respondent WHERE ¦lo_import('/etc/passwd') > 0 ## the function lo_import is not among those that a
SELECT COUNT(*) FROM respondent WHERE ¦lo_export(1, '/tmp/x') > 0 ## the function lo_export is not among those that a
SELECT COUNT(*) FROM respondent WHERE ¦pg_read_file('/etc/passwd') = 'x' ## the function pg_read_file is not among those tha
SELECT COUNT(*) FROM ¦pg_read_file('/etc/passwd') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦pg_ls_dir('/') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦read_csv('/etc/passwd') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦read_csv_auto('http://x/y') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦read_parquet('s3://x/y') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦read_text('/etc/passwd') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM glob('/*'¦) ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM ¦sqlite_scan('x', 'y') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦postgres_query('x', 'y') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦dblink('dbname=x', 'SELECT 1') AS t(a INT) ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦generate_series(1, 1000000000) ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦range(1000000000) ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM unnest(ARRAY[¦1, 2]) ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent, unnest(¦string_to_array(region, ',')) ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦json_each('[1]') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦pragma_table_info('respondent') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent WHERE ¦load_extension('x') IS NULL ## the function load_extension is not among those t
SELECT COUNT(*) FROM respondent WHERE ¦readfile('x') IS NULL ## the function readfile is not among those that ar
SELECT COUNT(*) FROM respondent WHERE ¦nextval('x') > 0 ## the function nextval is not among those that are
SELECT COUNT(*) FROM respondent WHERE ¦pg_advisory_lock(1) IS NULL ## the function pg_advisory_lock is not among those
SELECT COUNT(*) FROM respondent WHERE ¦pg_terminate_backend(1) ## the function pg_terminate_backend is not among t
SELECT COUNT(*) FROM respondent WHERE ¦query_to_xml('SELECT 1', true, true, '') IS NULL ## the function query_to_xml is not among those tha
SELECT COUNT(*) FROM respondent WHERE ¦txid_current() > 0 ## the function txid_current is not among those tha
SELECT COUNT(*) FROM respondent WHERE ¦has_table_privilege('x', 'y') ## the function has_table_privilege is not among th
SELECT COUNT(*) FROM respondent WHERE ¦md5(region) LIKE 'a%' ## the function md5 is not among those that are ans
SELECT COUNT(*) FROM respondent WHERE ¦upper(region) = 'X' ## the function upper is not among those that are a
SELECT COUNT(*) FROM respondent WHERE ¦length(region) > 1 ## the function length is not among those that are
SELECT COUNT(*) FROM respondent WHERE ¦repeat('x', 1000000000) = 'x' ## the function repeat is not among those that are
SELECT COUNT(*) FROM respondent WHERE ¦lpad(region, 1000000000) = 'x' ## the function pad is not among those that are ans
SELECT COUNT(*) FROM respondent WHERE ¦regexp_like(region, '(a+)+b') ## the function regexp_like is not among those that
SELECT COUNT(*) FROM respondent WHERE ¦region SIMILAR TO '(a|b)*' ## SIMILAR TO is not answered
SELECT COUNT(*) FROM respondent WHERE ¦region ~ '(a+)+b' ## the function regexp_like is not among those that
SELECT COUNT(*) FROM respondent WHERE ¦region GLOB 'x*' ## GLOB is not answered
SELECT COUNT(*) FROM respondent WHERE ¦region REGEXP 'x' ## the function regexp_like is not among those that
SELECT COUNT(*) FROM respondent WHERE region ¦MATCH 'x' ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent WHERE CAST(¦region AS XML) IS NULL ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE ¦to_date(region, 'YYYY') IS NULL ## the function str_to_date is not among those that
SELECT COUNT(*) FROM respondent WHERE ¦gen_random_uuid() IS NULL ## the function uuid is not among those that are an
SELECT COUNT(*) FROM respondent WHERE ¦pg_catalog.pg_sleep(9) IS NULL ## a name or number with this point is not answered
SELECT COUNT(*) FROM respondent WHERE ¦"pg_sleep"(9) IS NULL ## the function pg_sleep is not among those that ar
SELECT ¦GROUP_CONCAT(region) FROM respondent ## the aggregate group_concat is not among those th
SELECT STRING_AGG(¦region, ',') FROM respondent ## the aggregate group_concat is not among those th
SELECT ¦ARRAY_AGG(region) FROM respondent ## the aggregate array_agg is not among those that
SELECT JSON_AGG(¦region) FROM respondent ## the aggregate j_s_o_n_array_agg is not among tho
SELECT ¦MODE() WITHIN GROUP (ORDER BY region) FROM respondent ## WITHIN GROUP is answered for PERCENTILE_CONT of
SELECT ¦FIRST(region) FROM respondent ## the aggregate first is not among those that are
SELECT ¦ANY_VALUE(region) FROM respondent ## the aggregate any_value is not among those that
SELECT ¦BOOL_OR(region = 'x') FROM respondent ## the aggregate logical_or is not among those that
SELECT ¦CORR(id, id) FROM respondent ## the aggregate corr is not among those that are a
SELECT ¦APPROX_COUNT_DISTINCT(region) FROM respondent ## the aggregate approx_distinct is not among those
SELECT COUNT(*) FILTER (WHERE ¦pg_sleep(9) IS NULL) FROM respondent ## the function pg_sleep is not among those that ar
SELECT ¦MAX(region) FROM respondent ## max of a column without bounds
SELECT ¦MIN(DISTINCT region) FROM respondent ## min of a column without bounds
SELECT ¦ROUND(COUNT(*)) FROM respondent ## the function round is not among those that are a
SELECT ¦ABS(COUNT(*)) FROM respondent ## the function abs is not among those that are ans
SELECT ¦EXP(COUNT(*)) FROM respondent ## the function exp is not among those that are ans
SELECT ¦POWER(COUNT(*), COUNT(*)) FROM respondent ## the function power is not among those that are a
SELECT ¦COUNT(*) ^ COUNT(*) FROM respondent ## the function power is not among those that are a

-- division and casts
SELECT COUNT(*) FROM respondent WHERE ¦1 / 0 = 1 ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE ¦1 / (id - 1) = 1 ## division inside an expression
SELECT SUM(¦1 / id) FROM respondent ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE ¦id % 0 = 1 ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE ¦MOD(id, 0) = 1 ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE ¦DIV(id, 0) = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE id /¦/ 2 = 1 ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM respondent GROUP BY ¦id / 2 ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE CAST(¦region AS INTEGER) = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE ¦region::int = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE TRY_CAST(¦region AS INTEGER) = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE ¦id::smallint = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE CAST(¦'x' AS INTEGER) = 1 ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE CAST(¦'2020-99-99' AS DATE) IS NULL ## '2020-99-99' is not a date like 1998-12-01
SELECT COUNT(*) FROM respondent WHERE ¦region::regclass IS NULL ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE ¦'pg_class'::regclass IS NULL ## a cast can fail
SELECT ¦COUNT(*)::int FROM respondent ## a cast can fail
SELECT CAST(¦COUNT(*) AS TEXT) FROM respondent ## a cast can fail
SELECT COUNT(*) FROM respondent WHERE (¦1/0 = 1) OR TRUE ## division inside an expression
SELECT COUNT(*) FROM respondent WHERE CASE WHEN TRUE THEN 1 ELSE ¦1/0 END = 1 ## division inside an expression
SELECT ¦COUNT(*) % 2 FROM respondent ## division inside an expression

-- numbers
SELECT COUNT(*) FROM respondent WHERE id = ¦1e400 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM respondent WHERE id = -¦1e400 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM respondent WHERE id = ¦1e-400 ## a number with more than 9 digits after the point
SELECT COUNT(*) FROM respondent WHERE id = ¦0x10 ## a number in hexadecimal digits is not answered
SELECT COUNT(*) FROM respondent WHERE id = 1¦_000 ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent WHERE id = ¦0b1 ## a number in binary digits is not answered
SELECT COUNT(*) FROM respondent WHERE id = 0¦o7 ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent WHERE id = ¦1e ## a number that cannot be read
SELECT COUNT(*) FROM respondent WHERE id = ¦1.2.3 ## a name or number with this point is not answered
SELECT COUNT(*) FROM respondent WHERE id = ¦. ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM respondent WHERE id = 1¦abc ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent WHERE ¦id = 'NaN' ## values of the types integer and text in one plac
SELECT COUNT(*) FROM respondent WHERE id = ¦NaN ## there is no column NaN
SELECT COUNT(*) FROM respondent WHERE id = ¦Infinity ## there is no column Infinity
SELECT COUNT(*) FROM respondent WHERE id = ¦9223372036854775808 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM respondent WHERE id = -¦9223372036854775809 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM respondent WHERE id = ¦١ ## there is no column ١
SELECT COUNT(*) FROM respondent WHERE id = ¦１ ## there is no column １
SELECT COUNT(*) FROM respondent WHERE id = ¦½ ## there is no column ½
SELECT COUNT(*) FROM respondent WHERE id = ¦² ## there is no column ²
SELECT SUM(¦id * id) FROM respondent ## the result could exceed 62 bits
SELECT SUM(¦position * position * position) FROM question ## the result could exceed 62 bits
SELECT SUM(¦9000000000000000000 + 9000000000000000000) FROM respondent ## a number that does not fit in 62 bits
SELECT SUM(¦1000000000000 * 1000000000000) FROM respondent ## the result could exceed 62 bits
SELECT SUM(¦0.000000001 * 0.000000001 * 0.000000001) FROM respondent ## a product with more than 18 digits after the poi
SELECT COUNT(*) FROM respondent WHERE ¦id * 0.5 > 1 ## the result could exceed 62 bits
SELECT COUNT(*) * ¦1e400 FROM respondent ## a number that does not fit in 62 bits
SELECT COUNT(*) * ¦99999999999999999999999999 FROM respondent ## a number that does not fit in 62 bits
SELECT QUANTILE(position, ¦1e400) FROM question ## a number that does not fit in 62 bits
SELECT ¦QUANTILE(position, -1) FROM question ## a quantile is a number from 0 to 1
SELECT ¦QUANTILE(position, 'x') FROM question ## a quantile is a number from 0 to 1
SELECT ¦QUANTILE(position, id) FROM question ## a quantile is a number from 0 to 1

-- patterns and lists
SELECT COUNT(*) FROM respondent WHERE ¦region LIKE region ## LIKE compares a text with a literal pattern
SELECT COUNT(*) FROM respondent WHERE ¦region LIKE 'x' ESCAPE 'y' ## ESCAPE is not answered
SELECT COUNT(*) FROM respondent WHERE ¦region LIKE 'a\\%' ## a backslash in a pattern means different things
SELECT COUNT(*) FROM respondent WHERE ¦region ILIKE 'x' ## ILIKE is not answered
SELECT COUNT(*) FROM respondent WHERE ¦region LIKE NULL ## LIKE compares a text with a literal pattern
SELECT COUNT(*) FROM respondent WHERE region LIKE ANY (¦'x', 'y') ## a subquery cannot stand here
SELECT COUNT(*) FROM respondent WHERE ¦region IN () ## IN takes a list of values other than NULL
SELECT COUNT(*) FROM respondent WHERE ¦region IN (NULL) ## IN takes a list of values other than NULL
SELECT COUNT(*) FROM respondent WHERE ¦region NOT IN ('x', NULL) ## IN takes a list of values other than NULL
SELECT COUNT(*) FROM respondent WHERE region IN ('x', (SELECT ¦name FROM panel)) ## a subquery that is compared gives one value
SELECT COUNT(*) FROM respondent WHERE region IN ¦respondent ## IN without parentheses is not answered here

-- limits
SELECT COUNT(*) FROM respondent LIMIT -¦1 ## LIMIT takes a whole number
SELECT COUNT(*) FROM respondent LIMIT ¦1.5 ## LIMIT takes a whole number
SELECT COUNT(*) FROM respondent LIMIT ¦'x' ## LIMIT takes a whole number
SELECT ¦COUNT(*) FROM respondent LIMIT NULL ## LIMIT takes a whole number
SELECT COUNT(*) FROM respondent LIMIT ¦99999999999999999999 ## LIMIT of more than 9 digits
SELECT COUNT(*) FROM respondent OFFSET -¦1 ## OFFSET takes a whole number
SELECT COUNT(*) FROM respondent OFFSET ¦1e9 ## OFFSET takes a whole number
SELECT COUNT(*) FROM respondent LIMIT (SELECT ¦COUNT(*) FROM respondent) ## LIMIT takes a whole number
SELECT COUNT(*) FROM respondent LIMIT ¦1 + 1 ## LIMIT takes a whole number
SELECT COUNT(*) FROM respondent LIMIT ¦10 PERCENT ## PERCENT or WITH TIES is not answered here
SELECT COUNT(*) FROM respondent LIMIT 1 BY ¦region ## EXPRESSIONS is not answered here
SELECT COUNT(*) FROM respondent FETCH FIRST ¦1 ROW WITH TIES ## WITH TIES is not answered here
SELECT COUNT(*) FROM respondent FETCH FIRST ¦10 PERCENT ROWS ONLY ## PERCENT is not answered here
SELECT COUNT(*) FROM respondent FETCH FIRST ¦-1 ROWS ONLY ## the text is not SQL that can be read: invalid ex
SELECT TOP ¦1 COUNT(*) FROM respondent ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM (SELECT id FROM respondent LIMIT ¦1) x ## LIMIT below an aggregate depends on single rows
SELECT COUNT(*) FROM (SELECT id FROM respondent FETCH FIRST ¦1 ROW ONLY) x ## LIMIT below an aggregate depends on single rows
SELECT COUNT(*) FROM (SELECT id FROM respondent OFFSET ¦1) x ## OFFSET below an aggregate depends on single rows
SELECT COUNT(*) FROM respondent WHERE id IN (SELECT id FROM respondent ORDER BY region LIMIT ¦1) ## LIMIT is not answered here

-- shapes
SELECT ¦region FROM respondent ## single rows are not answered
SELECT ¦* FROM respondent ## * lists columns of single rows
SELECT DISTINCT ¦region FROM respondent ## SELECT DISTINCT lists values
SELECT DISTINCT ON (¦region) COUNT(*) FROM respondent ## SELECT DISTINCT lists values
SELECT ¦ROW_NUMBER() OVER (), COUNT(*) FROM respondent ## a window function
SELECT ¦COUNT(*) OVER (PARTITION BY region) FROM respondent ## a window function
SELECT ¦SUM(COUNT(*)) OVER () FROM respondent ## a window function
SELECT COUNT(*) FROM respondent WINDOW ¦w AS (ORDER BY id) ## WINDOW is not answered here
SELECT COUNT(*) FROM respondent QUALIFY ¦COUNT(*) > 1 ## QUALIFY is not answered here
SELECT COUNT(*) FROM respondent ORDER BY ¦0 ## there is no column number 0
SELECT COUNT(*) FROM respondent ORDER BY ¦2 ## there is no column number 2
SELECT COUNT(*) FROM respondent ORDER BY ¦1.5 ## there is no column number 1.5
SELECT COUNT(*) FROM respondent ORDER BY ¦id ## id is neither a group key nor inside an aggregat
SELECT COUNT(*) FROM respondent ORDER BY (SELECT ¦region FROM respondent) ## a subquery that is compared gives one value
SELECT COUNT(*) FROM respondent ORDER BY COUNT(*) ¦USING < ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent GROUP BY ¦9 ## there is no column number 9
SELECT ¦COUNT(*) FROM respondent GROUP BY 1 ## an aggregate cannot stand here
SELECT ¦COUNT(*) FROM respondent GROUP BY ALL ## ALL is not answered here
SELECT COUNT(*) FROM respondent GROUP BY ROLLUP (¦region) ## ROLLUP is not answered
SELECT COUNT(*) FROM respondent GROUP BY CUBE (¦region, sex) ## CUBE is not answered
SELECT COUNT(*) FROM respondent GROUP BY GROUPING SETS ((¦region), (sex)) ## GROUPING SETS is not answered
SELECT COUNT(*) FROM respondent GROUP BY ¦region WITH TOTALS ## TOTALS is not answered here
SELECT ¦GROUPING(region), COUNT(*) FROM respondent GROUP BY region ## the aggregate grouping is not among those that a
SELECT ¦COUNT(*) FROM respondent GROUP BY () ## a list in parentheses is not answered
SELECT COUNT(*) FROM respondent GROUP BY ¦id ## which values respondent.id has depends on one re
SELECT COUNT(*) FROM respondent GROUP BY ¦language ## which values respondent.language has depends on
SELECT ¦COUNT(*) FROM respondent UNION SELECT COUNT(*) FROM panel ## UNION of answers
SELECT ¦COUNT(*) FROM respondent UNION ALL SELECT region FROM respondent ## UNION of answers
SELECT ¦COUNT(*) FROM respondent INTERSECT SELECT COUNT(*) FROM panel ## INTERSECT of answers
SELECT ¦COUNT(*) FROM respondent EXCEPT SELECT COUNT(*) FROM panel ## EXCEPT of answers
SELECT COUNT(*) FROM (VALUES (¦1), (2)) x ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM (VALUES (¦1), (2)) x, respondent ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent, LATERAL (SELECT ¦1) x ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent CROSS JOIN LATERAL (SELECT ¦panel.id FROM panel WHERE panel.id = respondent.panel_id) x ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent CROSS APPLY (SELECT ¦1) x ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent TABLESAMPLE SYSTEM (¦1) ## TABLESAMPLE is not answered here
SELECT COUNT(*) FROM respondent USING SAMPLE ¦10 ## TABLESAMPLE is not answered here
SELECT COUNT(*) FROM respondent PIVOT (¦COUNT(*) FOR region IN ('x')) ## PIVOT is not answered here
SELECT COUNT(*) FROM respondent MATCH_RECOGNIZE (PATTERN ¦(a)) ## the text is not SQL that can be read: expecting
SELECT COUNT(*) FROM respondent FOR SYSTEM_TIME AS OF ¦'2020-01-01' ## FOR SYSTEM_TIME is not answered here
SELECT COUNT(*) FROM respondent FULL JOIN ¦panel ON panel_id = panel.id ## FULL JOIN is not answered
SELECT COUNT(*) FROM respondent ASOF JOIN ¦panel ON panel_id = panel.id ## ASOF JOIN is not answered
¦SELECT COUNT(*) FROM respondent POSITIONAL JOIN panel ## every row of panel would be paired with every row of respondent
¦SELECT COUNT(*) FROM respondent JOIN panel ## every row of panel would be paired with every row of respondent
SELECT COUNT(*) FROM respondent LEFT JOIN ¦panel ## LEFT JOIN without a condition
SELECT COUNT(*) FROM respondent CONNECT BY PRIOR ¦id = panel_id ## CONNECT BY is not answered here
WITH RECURSIVE ¦x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x) SELECT COUNT(*) FROM x ## a recursive WITH is not answered
WITH x AS (SELECT * FROM ¦x) SELECT COUNT(*) FROM x ## there is no relation x
WITH x AS (SELECT * FROM ¦y), y AS (SELECT * FROM x) SELECT COUNT(*) FROM x ## there is no relation y
WITH x AS (SELECT 1), x AS (SELECT ¦2) SELECT COUNT(*) FROM x ## SELECT without FROM
WITH respondent AS (SELECT ¦1 AS id) SELECT COUNT(*) FROM respondent ## SELECT without FROM
SELECT COUNT(*) FROM respondent WHERE id = (SELECT ¦id FROM respondent) ## a subquery that is compared gives one value
SELECT COUNT(*) FROM respondent WHERE id NOT IN (SELECT ¦panel_id FROM respondent UNION SELECT NULL) ## SELECT without FROM
SELECT (SELECT ¦region FROM respondent), COUNT(*) FROM panel ## a subquery that is compared gives one value
SELECT COUNT(*) FROM (SELECT ¦COUNT(*) OVER () c FROM respondent) x ## a window function
SELECT COUNT(*) FROM ¦x'00' ## the text is not SQL that can be read: something
SELECT ¦COUNT(*) ## SELECT without FROM
SELECT ¦1 ## single rows are not answered
¦SELECT NULL ## single rows are not answered
SELECT COUNT(*) FROM respondent AS OF ¦SYSTEM TIME '-1s' ## the text is not SQL that can be read: invalid ex
SELECT ¦ALL ## single rows are not answered
SELECT ¦COUNT(DISTINCT *) FROM respondent ## * is answered in COUNT only
SELECT ¦COUNT(ALL) FROM respondent ## COUNT takes * or a column
SELECT ¦COUNT(DISTINCT id, region) FROM respondent ## DISTINCT is answered in COUNT of one column
SELECT COUNT(respondent.¦*) FROM respondent ## * stands for columns, not for a value
SELECT COUNT(*) COUNT¦(*) FROM respondent ## the text is not SQL that can be read: invalid ex
SELECT SUM(¦id ORDER BY id) FROM respondent ## ORDER is not answered
SELECT COUNT(*) AS FROM ¦respondent ## the text is not SQL that can be read: invalid ex
SELECT ¦COLUMNS('x') FROM respondent ## single rows are not answered
SELECT ¦* EXCEPT (id) FROM respondent ## * lists columns of single rows
SELECT COUNT(*) FROM respondent GROUP BY region HAVING region = (SELECT ¦region FROM respondent) ## a subquery that is compared gives one value
SELECT COUNT(*) FROM respondent START WITH id = ¦1 ## the text is not SQL that can be read: something

-- parameters
SELECT COUNT(*) FROM respondent WHERE ¦id = ? ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE id = $¦1 ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE ¦id = :x ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE ¦id = @x ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE id = @@¦version ## the function match_against is not among those th
SELECT COUNT(*) FROM respondent WHERE ¦id = %s ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE id = %(¦x)s ## a parameter has no value here
SELECT COUNT(*) FROM respondent WHERE id = {¦x} ## the function struct is not among those that are
SELECT COUNT(*) FROM respondent WHERE id = $¦{x} ## the text is not SQL that can be read: something
SELECT COUNT(*) FROM respondent WHERE id = #{x¦} ## the text is not SQL that can be read: something
SELECT ¦COUNT(*) FROM respondent LIMIT ? ## LIMIT takes a whole number
SELECT COUNT(*) FROM $¦1 ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM ¦IDENTIFIER('respondent') ## FROM takes relations of the schema, and SELECTs
SELECT COUNT(*) FROM respondent WHERE region = ¦$$x$$ || $$y$$ ## || is not answered
¦SELECT COUNT(*) FROM respondent WHERE region = $a$never ends ## the text is not SQL: a quote or a comment has no
SELECT COUNT(*) FROM respondent WHERE region = ¦E'\\x' ## a text with escapes is not answered

-- unicode
¦ＳＥＬＥＣＴ COUNT(*) FROM respondent ## ＳＥＬＥＣＴ is not answered
SELECT COUNT(*) FROM ¦rеspondent ## there is no relation rеspondent
SELECT COUNT(*) FROM res¦\u200bpondent ## there is an invisible character U+200B
SELECT COUNT(*) FROM ¦\u202erespondent ## there is an invisible character U+202E
SELECT COUNT(*) FROM ¦respondent\u0301 ## there is no relation respondent\u0301
SELECT COUNT(*) FROM ¦ｒｅｓｐｏｎｄｅｎｔ ## there is no relation ｒｅｓｐｏｎｄｅｎｔ
SELECT COUNT(¦región) FROM respondent ## there is no column región
SELECT COUNT(¦regio\u0301n) FROM respondent ## there is no column regio\u0301n
SELECT\u00a0¦region FROM respondent ## single rows are not answered
SELECT\u2003¦region FROM respondent ## single rows are not answered
SELECT¦\ufeffregion FROM respondent ## there is an invisible character U+FEFF
¦\ufeffSELECT region FROM respondent ## there is an invisible character U+FEFF
SELECT region¦\u0000 FROM respondent ## there is an invisible character U+0000
SELECT region¦\u001f FROM respondent ## there is an invisible character U+001F
SELECT region FROM respondent¦\u2028WHERE 1 = 1 ## there is an invisible character U+2028
SELECT ¦COUNT（*） FROM respondent ## single rows are not answered
SELECT COUNT(*) FROM respondent WHERE region ¦＝ 'x' ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM respondent WHERE region = ¦‘x’ ## there is no column ‘x’
SELECT COUNT(*) FROM respondent WHERE region = ¦＇x＇ ## there is no column ＇x＇
SELECT COUNT(*) FROM respondent； ¦DROP TABLE respondent ## the text is not SQL that can be read: invalid ex
SELECT COUNT(*) FROM ¦KELVIN\u212a ## there is no relation KELVIN\u212a
SELECT COUNT(*) FROM ¦RE\u017fPONDENT ## there is no relation RE\u017fPONDENT
