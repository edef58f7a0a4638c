-- One refusal a line: the text, ¦ where it is refused, and after ## a part of the reason or hint; \n is a new line.

-- not one SELECT
¦ ## there is no query
¦  -- nothing\n ## there is no query
¦DROP TABLE pupil ## DROP is not answered
¦UPDATE pupil SET p_fee = 0 ## UPDATE is not answered
¦INSERT INTO town SELECT * FROM town ## INSERT is not answered
(¦DELETE FROM town) ## DELETE is not answered
¦EXPLAIN SELECT COUNT(*) FROM town ## EXPLAIN is not answered
¦CREATE VIEW x AS SELECT COUNT(*) FROM town ## CREATE is not answered
¦COPY town TO 'x' ## COPY is not answered
¦SET x = 1 ## SET is not answered
SELECT COUNT(*) FROM town; ¦DROP TABLE town ## several statements
¦SELECT COUNT(*) FROM town WHERE t_name = 'x ## a quote or a comment has no end
SELECT COUNT(*) FROM town WHERE t_size = ¦FROM ## not SQL that can be read
WITH ¦a AS (INSERT INTO town VALUES (1) RETURNING t_id) SELECT COUNT(*) FROM a ## INSERT is not answered
WITH RECURSIVE ¦a AS (SELECT 1) SELECT COUNT(*) FROM a ## a recursive WITH
SELECT COUNT(*) INTO ¦x FROM town ## INTO is not answered
SELECT ¦COUNT(*) FROM town FOR UPDATE ## FOR UPDATE is not answered

-- single rows
SELECT ¦p_id FROM pupil ## single rows are not answered
SELECT ¦* FROM pupil ## * lists columns of single rows
SELECT ¦pupil.* FROM pupil ## * lists columns of single rows
SELECT DISTINCT ¦p_id FROM pupil ## SELECT DISTINCT lists values
SELECT DISTINCT ON (¦p_id) COUNT(*) FROM pupil ## SELECT DISTINCT lists values
SELECT ¦t_name FROM town GROUP BY t_name ## single rows are not answered
SELECT ¦COUNT(*) FROM town UNION ALL SELECT COUNT(*) FROM pupil ## UNION of answers
SELECT ¦COUNT(*) ## SELECT without FROM

-- names
SELECT COUNT(*) FROM ¦pupils ## there is no relation pupils; did you mean pupil?
SELECT COUNT(*) FROM ¦pg_catalog.pg_class ## a schema name is not answered
SELECT COUNT(*) FROM ¦information_schema.tables ## a schema name is not answered
SELECT SUM(¦p_feee) FROM pupil ## there is no column p_feee; did you mean p_fee?
SELECT COUNT(*) FROM pupil x WHERE ¦pupil.p_fee > 1 ## no relation is called pupil here; there are x
SELECT COUNT(*) FROM pupil a, pupil b WHERE ¦p_fee > 1 ## p_fee is in several relations
SELECT COUNT(*) FROM ¦pupil, pupil ## two relations are called pupil
SELECT ¦p_town, COUNT(*) FROM pupil ## p_town is neither a group key nor inside an aggregate
SELECT COUNT(*) FROM pupil GROUP BY p_grade ORDER BY ¦p_fee ## p_fee is neither a group key
SELECT COUNT(*) FROM pupil GROUP BY ¦2 ## there is no column number 2
SELECT COUNT(*) FROM pupil ORDER BY ¦0 ## there is no column number 0
SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade ORDER BY ¦p_grade NULLS FIRST ## NULLS FIRST is not answered here
SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade ORDER BY ¦p_grade DESC NULLS FIRST ## NULLS FIRST is not answered here
SELECT COUNT(*) FROM (SELECT p_id FROM pupil) x (¦a, b) ## 2 names for 1 columns

-- expressions
SELECT SUM(¦p_fee / 2) FROM pupil ## division inside an expression; divide aggregates
SELECT COUNT(*) FROM pupil WHERE ¦p_grade % 2 = 0 ## division inside an expression
SELECT COUNT(*) FROM pupil WHERE CAST(¦p_name AS INTEGER) = 1 ## a cast can fail
SELECT COUNT(*) FROM pupil WHERE ¦p_name::date > '2001-01-01' ## a cast can fail
SELECT COUNT(*) FROM pupil WHERE CAST(¦'7' AS INTEGER) = 7 ## a cast can fail
SELECT COUNT(*) FROM pupil WHERE p_born > TIMESTAMP ¦'2001-01-01 00:00' ## a cast can fail
SELECT COUNT(*) FROM pupil WHERE p_born > DATE ¦'2001-02-30' ## '2001-02-30' is not a date
SELECT COUNT(*) FROM pupil WHERE ¦p_born > 'soon' ## 'soon' is not a date
SELECT COUNT(*) FROM pupil WHERE p_born + INTERVAL ¦'1' DAY > '2001-01-01' ## an interval is added to a literal
SELECT COUNT(*) FROM pupil WHERE p_born > DATE '2001-01-01' + INTERVAL ¦'1' HOUR ## an interval is a whole number
SELECT COUNT(*) FROM pupil WHERE p_born > DATE '2001-01-01' + INTERVAL ¦'9999' YEAR ## a date before the year 1
SELECT COUNT(*) FROM pupil WHERE ¦p_born > CURRENT_DATE ## the function current_date is not among those
SELECT COUNT(*) FROM pupil WHERE ¦PG_SLEEP(9) = 1 ## the function pg_sleep is not among those
SELECT COUNT(*) FROM pupil WHERE ¦RANDOM() < 0.5 ## the function rand is not among those
SELECT COUNT(*) FROM pupil WHERE ¦UPPER(p_name) = 'BO' ## the function upper is not among those
SELECT COUNT(*) FROM pupil WHERE ¦READ_BLOB('/etc/passwd') = 'x' ## the function read_blob is not among
SELECT COUNT(*) FROM pupil WHERE ¦p_name || 'x' = 'Box' ## || is not answered
SELECT COUNT(*) FROM pupil WHERE SUBSTRING(¦p_name FROM 2 FOR 1) = 'o' ## only the first characters
SELECT COUNT(*) FROM pupil WHERE EXTRACT(DAY FROM ¦p_born) = 1 ## only the year or the month
SELECT COUNT(*) FROM pupil WHERE ¦p_name ILIKE 'b%' ## ILIKE
SELECT COUNT(*) FROM pupil WHERE ¦p_name LIKE p_name ## LIKE compares a text with a literal pattern
SELECT COUNT(*) FROM pupil WHERE ¦p_name LIKE 'b!%' ESCAPE '!' ## ESCAPE is not answered
SELECT COUNT(*) FROM pupil WHERE ¦p_name LIKE 'b\%' ## a backslash in a pattern
SELECT COUNT(*) FROM pupil WHERE ¦p_name ~ 'b' ## not among those
SELECT COUNT(*) FROM pupil WHERE ¦p_grade IN (1, NULL) ## IN takes a list of values other than NULL
SELECT COUNT(*) FROM pupil WHERE (¦p_grade, p_id) IN ((1, 2)) ## IN of several columns
SELECT COUNT(*) FROM pupil WHERE p_grade = $¦1 ## a parameter has no value here
SELECT COUNT(*) FROM pupil WHERE ¦p_grade ## a integer where a condition belongs
SELECT COUNT(*) FROM pupil WHERE ¦p_name = 1 ## values of the types integer and text
SELECT COUNT(*) FROM pupil WHERE ¦p_name + 1 = 2 ## arithmetic with a text
SELECT COUNT(*) FROM pupil WHERE ¦p_luck + 1 = 2 ## arithmetic on a column without bounds
SELECT COUNT(*) FROM pupil WHERE ¦p_luck < p_fee ## numbers of different scale, one of them without bounds
SELECT SUM(¦p_fee * p_fee * p_fee * p_fee * p_fee * p_fee) FROM pupil ## the result could exceed 62 bits
SELECT COUNT(*) FROM pupil WHERE p_id < ¦99999999999999999999 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM pupil WHERE p_id < ¦1e400000000 ## a number that does not fit in 62 bits
SELECT COUNT(*) FROM pupil WHERE p_fee < ¦0.12345678901 ## a number with more than 9 digits
SELECT COUNT(*) FROM pupil WHERE ¦SUM(p_fee) > 1 ## an aggregate cannot stand here
SELECT SUM(¦COUNT(p_fee)) FROM pupil ## an aggregate cannot stand here
SELECT ¦COUNT(*) OVER () FROM pupil ## a window function
SELECT CASE WHEN ¦COUNT(*) > 1 THEN 'x' ELSE 2 END FROM pupil ## values of the types decimal and text

-- aggregates
SELECT ¦SUM(DISTINCT p_fee) FROM pupil ## DISTINCT is answered in COUNT
SELECT ¦SUM(p_name) FROM pupil ## sum of a text
SELECT ¦COUNT() FROM pupil ## COUNT takes * or a column
SELECT ¦SUM(*) FROM pupil ## * is answered in COUNT only
SELECT ¦COUNT(DISTINCT p_id, p_fee) FROM pupil ## DISTINCT is answered in COUNT of one column
SELECT STRING_AGG(¦p_name, ',') FROM pupil ## the aggregate
SELECT ¦QUANTILE(p_fee, 1.5) FROM pupil ## a quantile is a number from 0 to 1
SELECT ¦PERCENTILE_CONT(2) WITHIN GROUP (ORDER BY p_fee) FROM pupil ## a quantile is a number from 0 to 1
SELECT COUNT(*) FROM pupil GROUP BY ROLLUP (¦p_grade) ## ROLLUP is not
SELECT SUM(x) FROM (SELECT ¦MEDIAN(p_fee) x FROM pupil GROUP BY p_town) y ## median below the outermost SELECT
SELECT COUNT(*) FROM (SELECT ¦SUM(p_luck) x FROM pupil GROUP BY p_town) y ## sum of a column without bounds

-- below the root
SELECT COUNT(*) FROM (SELECT p_id FROM pupil LIMIT ¦3) x ## LIMIT below an aggregate
SELECT COUNT(*) FROM (SELECT p_id FROM pupil OFFSET ¦3) x ## OFFSET below an aggregate
SELECT COUNT(*) FROM (SELECT p_id FROM pupil UNION ALL SELECT t_id FROM town LIMIT ¦3) x ## LIMIT below
SELECT COUNT(*) FROM (SELECT ¦p_id FROM pupil INTERSECT SELECT t_id FROM town) x ## INTERSECT is not answered
SELECT COUNT(*) FROM (SELECT ¦p_id FROM pupil EXCEPT SELECT t_id FROM town) x ## EXCEPT is not answered
SELECT COUNT(*) FROM (SELECT ¦p_id FROM pupil UNION ALL SELECT t_id, t_size FROM town) x ## UNION of 1 and 2 columns
SELECT COUNT(*) FROM (SELECT ¦p_id FROM pupil UNION ALL SELECT t_name FROM town) x ## values of the types
SELECT COUNT(*) FROM (SELECT DISTINCT ON (¦p_town) p_id FROM pupil) x ## DISTINCT ON is not answered
SELECT COUNT(*) FROM (SELECT ¦*, COUNT(*) FROM pupil) x ## * beside GROUP BY
SELECT COUNT(*) FROM town TABLESAMPLE BERNOULLI (¦10) ## TABLESAMPLE is not answered
SELECT COUNT(*) FROM town FULL JOIN ¦pupil ON t_id = p_town ## FULL
SELECT COUNT(*) FROM town LEFT JOIN ¦pupil ## LEFT JOIN without a condition
SELECT COUNT(*) FROM (VALUES (¦1)) x ## FROM takes relations
SELECT COUNT(*) FROM ¦GENERATE_SERIES(1, 2) ## FROM takes relations
SELECT COUNT(*) FROM town, LATERAL (SELECT ¦1) x ## FROM takes relations

-- subqueries
SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT ¦m_pupil FROM mark) OR p_fee > 1 ## a subquery cannot stand here
SELECT COUNT(*) FROM pupil WHERE p_fee > 1 OR EXISTS (SELECT ¦1 FROM mark) ## a subquery cannot stand here
SELECT SUM(CASE WHEN p_id IN (SELECT ¦m_pupil FROM mark) THEN 1 ELSE 0 END) FROM pupil ## a subquery cannot stand
SELECT COUNT(*) FROM pupil WHERE ¦p_id NOT IN (SELECT v_pupil FROM visit) ## NOT IN over a column that may be NULL
SELECT COUNT(*) FROM pupil WHERE ¦p_grade NOT IN (SELECT v_days FROM visit) ## NOT IN over a column that may be NULL
SELECT COUNT(*) FROM pupil WHERE ¦p_id IN (SELECT m_id, m_pupil FROM mark) ## IN of 1 and 2 columns
SELECT COUNT(*) FROM pupil WHERE p_fee > (SELECT ¦AVG(p_fee) FROM pupil) ## depends on one pupil
SELECT COUNT(*) FROM pupil WHERE p_fee > (SELECT ¦t_size FROM town) ## a subquery that is compared gives one value
SELECT COUNT(*) FROM pupil WHERE p_fee > ALL (SELECT ¦t_size FROM town) ## a subquery cannot stand here
SELECT COUNT(*) FROM pupil WHERE 1 < (SELECT ¦COUNT(*) FROM mark WHERE m_pupil = p_id) ## no rows would count as 0
SELECT COUNT(*) FROM mark WHERE 1 < (SELECT ¦SUM(v_days) FROM visit WHERE v_pupil < m_pupil) ## joined by equalities
SELECT COUNT(*) FROM mark WHERE 1 < COALESCE((SELECT ¦SUM(v_days) FROM visit WHERE v_pupil = m_pupil), 2) ## a subquery
SELECT COUNT(*) FROM mark WHERE 1 < (SELECT ¦COALESCE(SUM(v_days), 2) FROM visit WHERE v_pupil = m_pupil) ## gives an aggregate
SELECT (SELECT ¦COUNT(*) FROM mark) - COUNT(*) FROM pupil ## depends on one pupil
SELECT COUNT(*) FROM pupil WHERE EXISTS (SELECT 1 FROM town WHERE t_id = p_town AND EXISTS (SELECT ¦1 FROM mark WHERE m_pupil = p_id)) ## may refer to that one only

-- the end
SELECT COUNT(*) FROM pupil LIMIT -¦1 ## LIMIT takes a whole number
SELECT COUNT(*) FROM pupil LIMIT ¦p_id ## LIMIT takes a whole number
