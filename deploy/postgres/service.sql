-- What the role of deploy/postgres/asker.sql reads of the service's own tables: the columns of its registered schema.
--   psql --dbname deniable --single-transaction --set ON_ERROR_STOP=1 --file deploy/postgres/service.sql
-- Then SOURCE_CONNECTIONS={"service": "postgresql://asker:password@127.0.0.1:5432/deniable"} for the workers.

GRANT USAGE ON SCHEMA public TO asker;
GRANT SELECT (id, name, kind, region) ON surveys_organisation TO asker;
GRANT SELECT (id, organisation_id, name, retained_until) ON surveys_panel TO asker;
GRANT SELECT (id, panel_id, region, age_band, sex, language, segment) ON surveys_respondent TO asker;
GRANT SELECT (id, survey_id, respondent_id, channel, sent_on, issued) ON surveys_invitation TO asker;
GRANT SELECT (id, slug, title_en, title_ko, state) ON surveys_survey TO asker;
GRANT SELECT (id, survey_id, position, name, kind, text_en, text_ko) ON surveys_question TO asker;
GRANT SELECT (id, survey_id, number, fingerprint) ON surveys_version TO asker;
