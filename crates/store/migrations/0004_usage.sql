-- What each model was used for, a line for each day where the person is. Outlives the conversations
-- in which it was used, because a day's limit does. `cost` is in billionths of a dollar.
CREATE TABLE usage_of_day (
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  input INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  written INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
