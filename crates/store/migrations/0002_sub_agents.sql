-- A sub-agent works in a conversation of its own, which goes with the one that it belongs to and is
-- in no list.
ALTER TABLE conversation ADD COLUMN parent TEXT REFERENCES conversation (id) ON DELETE CASCADE;
-- What else the agent knows of a conversation, as its JSON.
ALTER TABLE conversation ADD COLUMN body TEXT NOT NULL DEFAULT '{}';
CREATE INDEX conversation_by_parent ON conversation (parent) WHERE parent IS NOT NULL;
DROP INDEX conversation_by_update;
CREATE INDEX conversation_by_update ON conversation (updated_at, id) WHERE parent IS NULL;
