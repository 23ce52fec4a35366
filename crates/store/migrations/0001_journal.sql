-- The core's own line. A core may write only while the stored epoch is the one it began.
CREATE TABLE core (
  line INTEGER PRIMARY KEY CHECK (line = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO core (line, epoch) VALUES (1, 0);

CREATE TABLE conversation (
  id TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  titled_by_person INTEGER NOT NULL CHECK (titled_by_person IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversation_by_update ON conversation (updated_at, id);

-- The journal. `body` is the agent's JSON; `text` is what a person can search for.
CREATE TABLE item (
  number INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  turn TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX item_by_id ON item (conversation, id);
CREATE UNIQUE INDEX item_by_position ON item (conversation, position);
CREATE INDEX item_by_seq ON item (conversation, seq);

-- The words of `item.text`, already folded and split by the store, so the tokenizer only has to
-- split at spaces. Contentless: the text itself is in `item`.
CREATE VIRTUAL TABLE item_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii'
);
CREATE TRIGGER item_words_forget AFTER DELETE ON item BEGIN
  DELETE FROM item_words WHERE rowid = old.number;
END;

-- Open runs only. One root run a conversation; a sub-agent's run ends with its parent.
CREATE TABLE run (
  id TEXT NOT NULL PRIMARY KEY,
  parent TEXT REFERENCES run (id) ON DELETE CASCADE,
  conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  turn TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX run_root ON run (conversation) WHERE parent IS NULL;
CREATE INDEX run_by_conversation ON run (conversation);
CREATE INDEX run_by_parent ON run (parent);

-- What became of each op, so that an op that is sent again is not applied again.
CREATE TABLE op (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  applied_at INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

CREATE TABLE model (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  key TEXT
) STRICT;

CREATE TABLE setting (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
