-- One query a line; what it means is what SQLite answers.

-- one relation
SELECT COUNT(*), COUNT(p_grade), SUM(p_fee), MIN(p_grade), MAX(p_born) FROM pupil;
SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade;
SELECT p_grade g, COUNT(*) c FROM pupil GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY c DESC, g LIMIT 2;
SELECT COUNT(DISTINCT p_town), COUNT(DISTINCT p_grade) FROM pupil;
SELECT SUM(p_fee) / COUNT(*), 2 * SUM(p_grade) - 1 FROM pupil;
SELECT AVG(p_fee) FROM pupil WHERE p_boarder;
SELECT COUNT(*) FROM pupil WHERE NOT p_boarder AND p_fee > 20.5;
SELECT COUNT(*) FROM pupil WHERE p_fee >= 24.995 OR p_fee < 3.001;
SELECT COUNT(*) FROM pupil WHERE p_fee = 24.995 OR p_fee IN (25.00, 3.001, 50);
SELECT COUNT(*) FROM pupil WHERE p_luck < 0.5 AND p_luck > -1.5;
SELECT COUNT(*) FROM pupil WHERE p_luck <> 0.5;
SELECT COUNT(*) FROM pupil WHERE NOT (p_grade = 1 AND p_fee > 10);
SELECT COUNT(*) FROM pupil WHERE NOT (p_grade IN (1, 2) OR p_grade IS NULL);
SELECT COUNT(*) FROM pupil WHERE p_grade NOT IN (1, 2);
SELECT COUNT(*) FROM pupil WHERE p_grade BETWEEN 1 AND 4;
SELECT COUNT(*) FROM pupil WHERE p_grade NOT BETWEEN 1 AND 4;
SELECT COUNT(*) FROM pupil WHERE p_name LIKE 'B%' OR p_name LIKE 'A__';
SELECT COUNT(*) FROM pupil WHERE p_name NOT LIKE 'B%' AND p_name NOT LIKE '%r%';
SELECT COUNT(*) FROM pupil WHERE SUBSTRING(p_name FROM 1 FOR 2) IN ('Bo', 'Ar');
SELECT COUNT(*) FROM pupil WHERE LEFT(p_name, 1) = 'B';
SELECT COUNT(*) FROM pupil WHERE (p_grade > 1) IS TRUE;
SELECT COUNT(*) FROM pupil WHERE (p_grade > 1) IS NOT TRUE;
SELECT COUNT(*) FROM pupil WHERE p_grade IS DISTINCT FROM 1;
SELECT COUNT(*) FROM pupil WHERE NOT p_grade IS NOT NULL;
SELECT COUNT(*) FROM pupil WHERE COALESCE(p_grade, 5) = 5;
SELECT COUNT(*) FROM pupil WHERE NULLIF(p_grade, 1) IS NULL;
SELECT SUM(CASE WHEN p_boarder THEN 1 ELSE 0 END), SUM(CASE p_grade WHEN 1 THEN 0.5 WHEN 2 THEN 2 END) FROM pupil;
SELECT SUM(p_fee * (1 - p_grade) + 0.5), SUM(-p_grade) FROM pupil;
SELECT SUM(p_fee) FILTER (WHERE p_grade = 2), COUNT(*) FILTER (WHERE p_boarder) FROM pupil;
SELECT COUNT(*) FROM pupil WHERE p_born < DATE '2002-01-31' + INTERVAL '1' MONTH AND p_born > '2001-02-03';
SELECT COUNT(*) FROM mark WHERE m_on >= DATE '2020-03-31' - INTERVAL '40' DAY;
SELECT CASE WHEN p_grade > 1 THEN 'high' ELSE 'low' END AS k, COUNT(*) FROM pupil GROUP BY k;
SELECT SUBSTRING(t_name FROM 1 FOR 1), COUNT(*) FROM town GROUP BY SUBSTRING(t_name FROM 1 FOR 1);
SELECT COALESCE(p_grade, 0) + 1, COUNT(*) FROM pupil GROUP BY COALESCE(p_grade, 0);

-- joins
SELECT t_name, COUNT(*), SUM(m_points) FROM town, pupil, mark WHERE t_id = p_town AND m_pupil = p_id GROUP BY t_name;
SELECT COUNT(*) FROM mark JOIN pupil ON m_pupil = p_id AND m_points > p_grade JOIN town ON p_town = t_id;
SELECT COUNT(*) FROM pupil a, pupil b WHERE a.p_town = b.p_town AND a.p_id < b.p_id;
SELECT COUNT(*), COUNT(v_id) FROM pupil LEFT JOIN visit ON p_id = v_pupil;
SELECT COUNT(*), COUNT(v_id) FROM pupil LEFT JOIN visit ON p_id = v_pupil AND v_days > 1 AND p_boarder;
SELECT COUNT(*), COUNT(v_id) FROM pupil LEFT JOIN visit ON p_id = v_pupil WHERE v_days > 1 OR v_days IS NULL;
SELECT COUNT(*), COUNT(p_id) FROM pupil RIGHT JOIN visit ON p_id = v_pupil AND p_fee > 30;
SELECT COUNT(*), COUNT(t_id) FROM pupil LEFT JOIN visit ON p_id = v_pupil LEFT JOIN town ON v_town = t_id;
SELECT COUNT(*) FROM town, pupil LEFT JOIN visit ON p_id = v_pupil WHERE t_id = p_town AND v_town = t_id;
SELECT COUNT(*) FROM (town JOIN pupil ON t_id = p_town) LEFT JOIN (visit JOIN mark ON v_pupil = m_pupil) ON p_id = v_pupil;
SELECT COUNT(*) FROM pupil CROSS JOIN town WHERE p_grade > t_size;
SELECT k, COUNT(*) FROM (SELECT p_id AS k, p_fee FROM pupil) x JOIN (SELECT m_pupil AS k FROM mark) y USING (k) GROUP BY k;
SELECT COUNT(*) FROM (SELECT p_id AS k, p_fee FROM pupil) x NATURAL JOIN (SELECT v_pupil AS k FROM visit) y;
SELECT COUNT(*), COUNT(k) FROM (SELECT p_id AS k FROM pupil) x LEFT JOIN (SELECT v_pupil AS k FROM visit) y USING (k);
SELECT COUNT(*) FROM pupil JOIN mark ON (p_id = m_pupil AND m_points > 5) OR (p_id = m_pupil AND p_grade = 1);

-- below the root
SELECT n, COUNT(*) FROM (SELECT p_town, COUNT(*) AS n FROM pupil GROUP BY p_town) x GROUP BY n;
WITH x (i, n) AS (SELECT p_id, COUNT(m_points) FROM pupil LEFT JOIN mark ON p_id = m_pupil GROUP BY p_id) SELECT n, COUNT(*) FROM x GROUP BY n;
SELECT SUM(s), MAX(b) FROM (SELECT m_pupil, SUM(m_points) s, MAX(m_points) b FROM mark GROUP BY m_pupil HAVING COUNT(*) > 2) x;
SELECT SUM(a) FROM (SELECT m_subject, MIN(m_points) + MAX(m_points) AS a FROM mark GROUP BY m_subject) x;
SELECT COUNT(*) FROM (SELECT DISTINCT p_grade, p_boarder FROM pupil) x;
SELECT COUNT(*) FROM (SELECT p_grade FROM pupil UNION ALL SELECT v_days FROM visit) x WHERE p_grade > 0;
SELECT SUM(a) FROM (SELECT p_fee a, p_fee b FROM pupil UNION ALL SELECT m_points, m_points FROM mark) x;
SELECT COUNT(*) FROM (SELECT p_grade FROM pupil UNION SELECT v_days FROM visit) x;
WITH big AS (SELECT * FROM pupil WHERE p_fee > 30), b2(i) AS (SELECT p_id FROM big) SELECT COUNT(*) FROM big, b2, b2 AS c WHERE b2.i = big.p_id AND c.i = b2.i;
SELECT COUNT(*) FROM (SELECT t.*, p_id FROM town t JOIN pupil ON t_id = p_town) q WHERE t_size > 3;

-- subqueries
SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT m_pupil FROM mark WHERE m_points > 9);
SELECT COUNT(*) FROM pupil WHERE p_id NOT IN (SELECT m_pupil FROM mark WHERE m_points > 9);
SELECT COUNT(*) FROM pupil WHERE NOT p_id IN (SELECT m_pupil FROM mark WHERE m_subject = 'art' AND m_points > p_fee);
SELECT COUNT(*) FROM pupil WHERE EXISTS (SELECT * FROM visit WHERE v_pupil = p_id AND v_days > p_grade);
SELECT COUNT(*) FROM pupil WHERE NOT EXISTS (SELECT 1 FROM visit WHERE v_pupil = p_id);
SELECT COUNT(*) FROM pupil p WHERE EXISTS (SELECT 1 FROM pupil q WHERE q.p_town = p.p_town AND q.p_id <> p.p_id);
SELECT COUNT(*) FROM pupil WHERE (p_id, p_town) IN (SELECT v_pupil, v_town FROM visit);
SELECT COUNT(*) FROM pupil WHERE p_id + 1 IN (SELECT m_pupil FROM mark WHERE m_points > 9) AND p_fee > 10;
SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT m_pupil FROM mark GROUP BY m_pupil HAVING SUM(m_points) > 10);
SELECT COUNT(*) FROM pupil WHERE p_id IN (SELECT v_pupil FROM visit WHERE v_town IN (SELECT t_id FROM town WHERE t_size > 4));
SELECT COUNT(*) FROM mark WHERE m_points > (SELECT MIN(v_days) + 1 FROM visit WHERE v_pupil = m_pupil);
SELECT COUNT(*) FROM mark a WHERE 2 * a.m_points >= (SELECT SUM(b.m_points) FROM mark b WHERE b.m_pupil = a.m_pupil AND b.m_subject = 'art');
SELECT COUNT(*) FROM pupil WHERE p_town = (SELECT MAX(t_id) FROM town WHERE t_size < 9);
SELECT p_grade, COUNT(*) FROM pupil GROUP BY p_grade HAVING COUNT(*) > (SELECT MIN(t_size) * 0.5 FROM town);
SELECT COUNT(*) FROM pupil WHERE p_fee > 10 AND p_luck > 0 AND EXISTS (SELECT 1 FROM town);
SELECT COUNT(*) - (SELECT COUNT(*) FROM town) FROM pupil;
