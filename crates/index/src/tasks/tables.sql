-- Long work: what is to be done, who does it, until when it is theirs.
CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    claims INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    leased_until INTEGER,
    result TEXT,
    created INTEGER NOT NULL,
    ended INTEGER
) STRICT;
-- The same work doesn't wait twice.
CREATE UNIQUE INDEX IF NOT EXISTS tasks_open_key ON tasks (kind, key) WHERE state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS tasks_open ON tasks (kind, id) WHERE state IN ('waiting', 'running');
