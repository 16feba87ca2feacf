-- Tables. They may change with the format version; the views are the contract.
-- Things are numbers: `names` holds each full name once, `words` the short vocabulary (kinds, channels, rights, types,
-- events), `texts` what repeats and is longer (literals, titles, conditions, comments).

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- A ghost is a name that is only referred to: nothing bears it.
CREATE TABLE names (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, key INTEGER NOT NULL, trigrams INTEGER NOT NULL, ghost INTEGER NOT NULL
);
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL);
CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
-- In the order in which they apply. `stem`: of an external processor, the name of its description without `.xml`.
CREATE TABLE layer (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, root TEXT NOT NULL, format TEXT NOT NULL,
  purpose TEXT NOT NULL, stem TEXT
);
CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL);
-- Folders of the first layer: by their times `metadata::list` tells whether their entries changed.
CREATE TABLE folder (path TEXT PRIMARY KEY, changed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE problem (file TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, message_ru TEXT NOT NULL, message_en TEXT NOT NULL);

-- Metadata.
CREATE TABLE object (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, synonym TEXT, comment TEXT, parent INTEGER,
  subsystem INTEGER, uuid TEXT, layer INTEGER NOT NULL, support INTEGER, file INTEGER, line INTEGER
);
CREATE TABLE attribute (
  id INTEGER PRIMARY KEY, object INTEGER NOT NULL, holder INTEGER, kind INTEGER NOT NULL, name TEXT NOT NULL, synonym TEXT,
  types INTEGER, required INTEGER NOT NULL, indexing INTEGER, layer INTEGER NOT NULL, line INTEGER
);
CREATE TABLE type_of (owner INTEGER NOT NULL, type INTEGER NOT NULL, qualifiers INTEGER);
CREATE TABLE property (owner INTEGER NOT NULL, name INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE link (owner INTEGER NOT NULL, property INTEGER NOT NULL, target INTEGER NOT NULL, value INTEGER, file INTEGER, line INTEGER);
CREATE TABLE form (id INTEGER PRIMARY KEY, object INTEGER, name TEXT NOT NULL, kind INTEGER NOT NULL, layer INTEGER NOT NULL, file INTEGER);
CREATE TABLE form_item (
  form INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, parent INTEGER, data_path INTEGER,
  title INTEGER, command INTEGER, line INTEGER, PRIMARY KEY (form, number)
) WITHOUT ROWID;
CREATE TABLE form_attribute (
  form INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, types INTEGER, is_main INTEGER NOT NULL, query INTEGER,
  main_table INTEGER, PRIMARY KEY (form, number)
) WITHOUT ROWID;
CREATE TABLE form_command (
  form INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, title INTEGER, action TEXT, call_type INTEGER,
  PRIMARY KEY (form, number)
) WITHOUT ROWID;
CREATE TABLE form_handler (
  form INTEGER NOT NULL, number INTEGER NOT NULL, element TEXT, event INTEGER NOT NULL, handler TEXT NOT NULL, line INTEGER,
  call_type INTEGER, PRIMARY KEY (form, number)
) WITHOUT ROWID;
CREATE TABLE movement (document INTEGER NOT NULL, register INTEGER NOT NULL, evidence INTEGER NOT NULL);
CREATE TABLE role_right (
  role INTEGER NOT NULL, object INTEGER NOT NULL, right INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (role, object, right)
) WITHOUT ROWID;
-- Restrictions at record level; templates have no object. `effective`: the condition with its templates put in; `lets`: which
-- records it lets through (all, none, some).
CREATE TABLE restriction (
  role INTEGER NOT NULL, object INTEGER, right INTEGER, field TEXT, condition INTEGER, template TEXT, line INTEGER,
  file INTEGER NOT NULL, effective INTEGER, lets INTEGER
);
CREATE TABLE predefined_item (
  owner INTEGER NOT NULL, name TEXT NOT NULL, code TEXT, description TEXT, position INTEGER NOT NULL, parent TEXT
);
CREATE TABLE subscription (id INTEGER PRIMARY KEY, event INTEGER NOT NULL, handler INTEGER);
CREATE TABLE subscription_source (subscription INTEGER NOT NULL, object INTEGER NOT NULL, PRIMARY KEY (subscription, object)) WITHOUT ROWID;
CREATE TABLE job (id INTEGER PRIMARY KEY, method INTEGER, enabled INTEGER NOT NULL, predefined INTEGER NOT NULL, schedule TEXT);
CREATE TABLE template (id INTEGER PRIMARY KEY, object INTEGER, kind INTEGER NOT NULL, file INTEGER);
CREATE TABLE help_page (owner INTEGER NOT NULL, language INTEGER NOT NULL, file INTEGER NOT NULL);

-- Report schemas. What stands in a nested schema is named with the schema before it (`Вложенная/Набор`). `parent`: the union that
-- holds a set. A field without a set is a calculated one, its `field` is the expression.
CREATE TABLE dcs_dataset (schema INTEGER NOT NULL, name TEXT NOT NULL, kind INTEGER NOT NULL, parent TEXT, query INTEGER);
CREATE TABLE dcs_field (schema INTEGER NOT NULL, dataset TEXT, path TEXT NOT NULL, field TEXT, title TEXT, types INTEGER);
CREATE TABLE dcs_parameter (schema INTEGER NOT NULL, name TEXT NOT NULL, title TEXT, types INTEGER, value INTEGER);
CREATE TABLE dcs_variant (schema INTEGER NOT NULL, name TEXT NOT NULL, title TEXT);

-- Flags of a method: function, exported, asynchronous, and 8: its form says what it overrides.
-- Code. `facts` of a module are what the resolver needs, packed: edges can be derived again without reading the module.
CREATE TABLE module (
  id INTEGER PRIMARY KEY, object INTEGER NOT NULL, kind INTEGER NOT NULL, file INTEGER NOT NULL, lines INTEGER NOT NULL,
  bytes INTEGER NOT NULL, layer INTEGER NOT NULL, flags INTEGER, reuse INTEGER, body INTEGER, contexts INTEGER NOT NULL
);
CREATE TABLE facts (module INTEGER PRIMARY KEY, text_hash INTEGER NOT NULL, facts BLOB NOT NULL);
CREATE TABLE method (
  id INTEGER PRIMARY KEY, module INTEGER NOT NULL, name TEXT NOT NULL, flags INTEGER NOT NULL, context INTEGER, params INTEGER,
  returns INTEGER, doc INTEGER, line INTEGER NOT NULL, end_line INTEGER NOT NULL, region INTEGER, override_of INTEGER,
  override_kind INTEGER, layer INTEGER NOT NULL, contexts INTEGER NOT NULL
);
-- Lines under `#Если` inside methods, with the contexts that the condition lets through; `contexts` of a method and of a
-- module are those of their first line, and bit 8: a client may call it on the server.
CREATE TABLE condition (
  module INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL, contexts INTEGER NOT NULL,
  PRIMARY KEY (module, line, end_line, contexts)
) WITHOUT ROWID;
-- Types of parameters (numbers from 0) and results (NULL), and where each is known from: code, comment, calls, default.
CREATE TABLE method_type (method INTEGER NOT NULL, param INTEGER, type INTEGER NOT NULL, source INTEGER NOT NULL);
-- Sites whose target only run time knows (`Выполнить`, a receiver that nothing is known of …) and what is known of it.
-- `name_key`: the key of `known` where it is one name; NULL where it may be several.
CREATE TABLE dynamic_site (
  method INTEGER NOT NULL, line INTEGER NOT NULL, kind INTEGER NOT NULL, known TEXT NOT NULL, file INTEGER NOT NULL,
  name_key INTEGER
);
CREATE TABLE string (method INTEGER NOT NULL, line INTEGER NOT NULL, value INTEGER NOT NULL);
-- Hashes of the words of each module, sorted, four bytes each: which modules could name a thing is told without their facts.
CREATE TABLE module_words (module INTEGER PRIMARY KEY, words BLOB NOT NULL);
-- Words of literals that some method is called by: where a name could be put together or handed on.
CREATE TABLE string_name (key INTEGER NOT NULL, method INTEGER NOT NULL, line INTEGER NOT NULL);
-- Texts in the query language: of methods, of dynamic lists (the form owns them). `query_line` is the line of the text.
CREATE TABLE query (owner INTEGER NOT NULL, line INTEGER NOT NULL, text INTEGER NOT NULL);
CREATE TABLE query_table (
  owner INTEGER NOT NULL, line INTEGER NOT NULL, "table" INTEGER NOT NULL, kind INTEGER NOT NULL, query_line INTEGER NOT NULL
);
CREATE TABLE query_field (
  owner INTEGER NOT NULL, line INTEGER NOT NULL, "table" INTEGER, field INTEGER NOT NULL, query_line INTEGER NOT NULL
);

-- The graph: whole edges, and halves of edges that fan out through a hub, joined in the view.
CREATE TABLE edge (
  source INTEGER NOT NULL, target INTEGER NOT NULL, channel INTEGER NOT NULL, line INTEGER NOT NULL, file INTEGER NOT NULL,
  confidence INTEGER NOT NULL, PRIMARY KEY (source, target, channel, line, file)
) WITHOUT ROWID;
CREATE TABLE half (
  channel INTEGER NOT NULL, hub TEXT NOT NULL, side INTEGER NOT NULL, node INTEGER NOT NULL, line INTEGER NOT NULL,
  file INTEGER NOT NULL, confidence INTEGER NOT NULL, PRIMARY KEY (channel, hub, side, node, line, file)
) WITHOUT ROWID;
-- The joined edges as one run of bytes, for walks (`graph::paths`), and the numbers of their channels among the words.
CREATE TABLE compact (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE reference (target INTEGER NOT NULL, source INTEGER NOT NULL, kind INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL);

-- Full text: one row a method and one an object, over text that is split, folded and stemmed already.
-- `hash`: of the text of an object, which can't be read back.
CREATE TABLE doc (id INTEGER PRIMARY KEY, name INTEGER NOT NULL, is_object INTEGER NOT NULL, hash INTEGER);
CREATE VIRTUAL TABLE fulltext USING fts5(name, owner, doc, body, content='', contentless_delete=1, tokenize='ascii');

-- What an update starts from, so that it need not read metadata and all modules again: the configuration as far as edges are
-- derived from it, the edges that it shows; by the files of modules: summaries, and what deriving the module asked of all the
-- others; in parts, hashes of what there is to be asked for.
CREATE TABLE input (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE fingerprint (part INTEGER PRIMARY KEY, marks BLOB NOT NULL);
CREATE TABLE module_input (file INTEGER PRIMARY KEY, summary BLOB NOT NULL, reads BLOB NOT NULL);
