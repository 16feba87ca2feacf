-- Long work: what is to be done, who does it, until when it is theirs. Times are milliseconds since 1970.
CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    claims INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    process INTEGER,
    leased_until INTEGER,
    -- Of the claim: when it was made, the holder's last sign of life, how far the work is.
    started INTEGER,
    seen INTEGER,
    phase TEXT NOT NULL DEFAULT '',
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    -- How often the same was asked for while it runs: what came too late for the holder to see.
    asked INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    created INTEGER NOT NULL,
    ended INTEGER
) STRICT;
-- The same work doesn't wait twice.
CREATE UNIQUE INDEX IF NOT EXISTS tasks_open_key ON tasks (kind, key) WHERE state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS tasks_open ON tasks (kind, id) WHERE state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS tasks_ended ON tasks (ended) WHERE ended IS NOT NULL;
