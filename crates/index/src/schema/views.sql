-- The contract. Lookups are LEFT JOINs: SQLite leaves out those whose columns a query does not use.

CREATE VIEW objects AS
SELECT n.name AS full_name, k.word AS kind, o.name AS name, o.synonym AS synonym, o.comment AS comment, p.name AS parent,
       s.name AS subsystem, o.uuid AS uuid, l.name AS layer, u.word AS support, f.path AS file
FROM object o LEFT JOIN names n ON n.id = o.id LEFT JOIN words k ON k.id = o.kind LEFT JOIN names p ON p.id = o.parent
LEFT JOIN names s ON s.id = o.subsystem LEFT JOIN layer l ON l.id = o.layer LEFT JOIN words u ON u.id = o.support
LEFT JOIN file f ON f.id = o.file;

CREATE VIEW attributes AS
SELECT n.name AS full_name, o.name AS object, h.name AS section, k.word AS kind, a.name AS name, a.synonym AS synonym,
       t.text AS types, a.required AS required, i.word AS indexing, l.name AS layer
FROM attribute a LEFT JOIN names n ON n.id = a.id LEFT JOIN names o ON o.id = a.object LEFT JOIN words k ON k.id = a.kind
LEFT JOIN object h ON h.id = a.holder
LEFT JOIN texts t ON t.id = a.types LEFT JOIN words i ON i.id = a.indexing LEFT JOIN layer l ON l.id = a.layer;

CREATE VIEW attribute_types AS
SELECT n.name AS attribute, w.word AS type, q.word AS qualifiers
FROM type_of t JOIN attribute a ON a.id = t.owner LEFT JOIN names n ON n.id = t.owner LEFT JOIN words w ON w.id = t.type
LEFT JOIN words q ON q.id = t.qualifiers;

CREATE VIEW modules AS
SELECT n.name AS full_name, o.name AS object, k.word AS kind, f.path AS file, m.lines AS lines, m.bytes AS bytes,
       l.name AS layer, m.flags & 1 AS server, m.flags >> 1 & 1 AS server_call, m.flags >> 2 & 1 AS client,
       m.flags >> 3 & 1 AS external_connection, m.flags >> 4 & 1 AS ordinary, m.flags >> 5 & 1 AS privileged,
       m.flags >> 6 & 1 AS "global", r.word AS return_values_reuse
FROM module m LEFT JOIN names n ON n.id = m.id LEFT JOIN names o ON o.id = m.object LEFT JOIN words k ON k.id = m.kind
LEFT JOIN file f ON f.id = m.file LEFT JOIN layer l ON l.id = m.layer LEFT JOIN words r ON r.id = m.reuse;

CREATE VIEW methods AS
SELECT n.name AS full_name, o.name AS module, m.name AS name, m.flags & 1 AS is_function, m.flags >> 1 & 1 AS is_export,
       m.flags >> 2 & 1 AS is_async, c.word AS context, p.text AS params, r.text AS returns, d.text AS doc, m.line AS line,
       m.end_line AS end_line, v.name AS override_of, w.word AS override_kind, l.name AS layer
FROM method m LEFT JOIN names n ON n.id = m.id LEFT JOIN names o ON o.id = m.module LEFT JOIN words c ON c.id = m.context
LEFT JOIN texts p ON p.id = m.params LEFT JOIN texts r ON r.id = m.returns LEFT JOIN texts d ON d.id = m.doc
LEFT JOIN names v ON v.id = m.override_of LEFT JOIN words w ON w.id = m.override_kind LEFT JOIN layer l ON l.id = m.layer;

-- Whole edges, and every source of a hub with every target of it (the place is the source's).
CREATE VIEW edges AS
SELECT s.name AS source, t.name AS target, c.word AS channel, w.word AS confidence, f.path AS file, e.line AS line
FROM edge e LEFT JOIN names s ON s.id = e.source LEFT JOIN names t ON t.id = e.target LEFT JOIN words c ON c.id = e.channel
LEFT JOIN words w ON w.id = e.confidence LEFT JOIN file f ON f.id = e.file
UNION ALL
SELECT s.name, t.name, c.word, w.word, f.path, a.line
FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
LEFT JOIN names s ON s.id = a.node LEFT JOIN names t ON t.id = b.node LEFT JOIN words c ON c.id = a.channel
LEFT JOIN words w ON w.id = max(a.confidence, b.confidence) LEFT JOIN file f ON f.id = a.file
WHERE a.side = 0;

CREATE VIEW refs AS
SELECT t.name AS target, s.name AS source, k.word AS kind, f.path AS file, r.line AS line
FROM reference r LEFT JOIN names t ON t.id = r.target LEFT JOIN names s ON s.id = r.source LEFT JOIN words k ON k.id = r.kind
LEFT JOIN file f ON f.id = r.file;

CREATE VIEW forms AS
SELECT n.name AS form, o.name AS object, x.name AS name, k.word AS kind, l.name AS layer, f.path AS file
FROM form x LEFT JOIN names n ON n.id = x.id LEFT JOIN names o ON o.id = x.object LEFT JOIN words k ON k.id = x.kind
LEFT JOIN layer l ON l.id = x.layer LEFT JOIN file f ON f.id = x.file;

CREATE VIEW form_items AS
SELECT n.name AS form, i.name AS name, k.word AS kind, p.name AS parent, d.text AS data_path, t.text AS title
FROM form_item i LEFT JOIN names n ON n.id = i.form LEFT JOIN words k ON k.id = i.kind
LEFT JOIN form_item p ON p.form = i.form AND p.number = i.parent LEFT JOIN texts d ON d.id = i.data_path
LEFT JOIN texts t ON t.id = i.title;

CREATE VIEW form_attributes AS
SELECT n.name AS form, a.name AS name, t.text AS types, a.is_main AS is_main, q.text AS query
FROM form_attribute a LEFT JOIN names n ON n.id = a.form LEFT JOIN texts t ON t.id = a.types LEFT JOIN texts q ON q.id = a.query;

CREATE VIEW form_commands AS
SELECT n.name AS form, c.name AS name, t.text AS title, c.action AS action, w.word AS call_type
FROM form_command c LEFT JOIN names n ON n.id = c.form LEFT JOIN texts t ON t.id = c.title
LEFT JOIN words w ON w.id = c.call_type;

CREATE VIEW form_handlers AS
SELECT n.name AS form, h.element AS element, e.word AS event, h.handler AS handler, w.word AS call_type
FROM form_handler h LEFT JOIN names n ON n.id = h.form LEFT JOIN words e ON e.id = h.event
LEFT JOIN words w ON w.id = h.call_type;

CREATE VIEW register_movements AS
SELECT d.name AS document, r.name AS register, e.word AS evidence
FROM movement m LEFT JOIN names d ON d.id = m.document LEFT JOIN names r ON r.id = m.register LEFT JOIN words e ON e.id = m.evidence;

CREATE VIEW role_rights AS
SELECT r.name AS role, o.name AS object, w.word AS right, x.value AS value
FROM role_right x LEFT JOIN names r ON r.id = x.role LEFT JOIN names o ON o.id = x.object LEFT JOIN words w ON w.id = x.right;

CREATE VIEW rls AS
SELECT r.name AS role, o.name AS object, w.word AS right, x.field AS field, c.text AS condition, x.template AS template
FROM restriction x LEFT JOIN names r ON r.id = x.role LEFT JOIN names o ON o.id = x.object LEFT JOIN words w ON w.id = x.right
LEFT JOIN texts c ON c.id = x.condition;

-- What each restriction comes to: its templates put in, directives (`#Если`) decided where the text decides them; those that a
-- session decides stay. `lets` says which records pass: all, none, some. Without a field it holds for all fields that no other
-- restriction of the role and right names. Line and file are the condition's.
CREATE VIEW rls_effective AS
SELECT r.name AS role, o.name AS object, w.word AS right, x.field AS field, c.text AS condition, l.word AS lets,
       x.template AS template, f.path AS file, x.line AS line
FROM restriction x LEFT JOIN names r ON r.id = x.role LEFT JOIN names o ON o.id = x.object LEFT JOIN words w ON w.id = x.right
LEFT JOIN texts c ON c.id = x.effective LEFT JOIN words l ON l.id = x.lets LEFT JOIN file f ON f.id = x.file
WHERE x.object IS NOT NULL;

CREATE VIEW enum_values AS
SELECT o.name AS owner, a.name AS name, a.synonym AS synonym,
       row_number() OVER (PARTITION BY a.object ORDER BY a.line, a.id) AS position, NULL AS parent
FROM attribute a LEFT JOIN names o ON o.id = a.object WHERE a.kind = (SELECT id FROM words WHERE word = 'EnumValue');

CREATE VIEW predefined AS
SELECT o.name AS owner, p.name AS name, p.code AS code, p.description AS description, p.position AS position, p.parent AS parent
FROM predefined_item p LEFT JOIN names o ON o.id = p.owner;

CREATE VIEW event_subscriptions AS
SELECT n.name AS name, e.word AS event, h.name AS handler, o.name AS source_object
FROM subscription s LEFT JOIN subscription_source x ON x.subscription = s.id LEFT JOIN names n ON n.id = s.id
LEFT JOIN words e ON e.id = s.event LEFT JOIN names h ON h.id = s.handler LEFT JOIN names o ON o.id = x.object;

CREATE VIEW scheduled_jobs AS
SELECT n.name AS name, m.name AS method, j.enabled AS enabled, j.predefined AS predefined, j.schedule AS schedule
FROM job j LEFT JOIN names n ON n.id = j.id LEFT JOIN names m ON m.id = j.method;

CREATE VIEW subsystem_content AS
SELECT o.name AS owner, t.name AS item
FROM link l JOIN object s ON s.id = l.owner LEFT JOIN names o ON o.id = l.owner LEFT JOIN names t ON t.id = l.target
WHERE l.property = (SELECT id FROM words WHERE word = 'Content') AND s.kind = (SELECT id FROM words WHERE word = 'Subsystem');

CREATE VIEW functional_options AS
SELECT o.name AS owner, t.name AS item, (
         SELECT x.name FROM link y LEFT JOIN names x ON x.id = y.target
         WHERE y.owner = s.id AND y.property = (SELECT id FROM words WHERE word = 'Location') LIMIT 1
       ) AS location
FROM object s LEFT JOIN link l ON l.owner = s.id AND l.property = (SELECT id FROM words WHERE word = 'Content')
LEFT JOIN names o ON o.id = s.id LEFT JOIN names t ON t.id = l.target
WHERE s.kind = (SELECT id FROM words WHERE word = 'FunctionalOption');

CREATE VIEW defined_types AS
SELECT o.name AS owner, w.word AS item, q.word AS qualifiers
FROM object d LEFT JOIN type_of t ON t.owner = d.id LEFT JOIN names o ON o.id = d.id LEFT JOIN words w ON w.id = t.type
LEFT JOIN words q ON q.id = t.qualifiers
WHERE d.kind = (SELECT id FROM words WHERE word = 'DefinedType');

CREATE VIEW exchange_plan_content AS
SELECT o.name AS owner, t.name AS item, v.word = 'Allow' AS auto_record
FROM link l LEFT JOIN names o ON o.id = l.owner LEFT JOIN names t ON t.id = l.target LEFT JOIN words v ON v.id = l.value
WHERE l.property = (SELECT id FROM words WHERE word = 'ExchangePlanContent');

CREATE VIEW dcs_schemas AS
SELECT n.name AS "schema", o.name AS object, f.path AS file
FROM template t LEFT JOIN names n ON n.id = t.id LEFT JOIN names o ON o.id = t.object LEFT JOIN file f ON f.id = t.file
WHERE t.kind = (SELECT id FROM words WHERE word = 'DataCompositionSchema');

CREATE VIEW dcs_datasets AS
SELECT n.name AS "schema", d.name AS name, k.word AS kind, d.parent AS parent, t.text AS query
FROM dcs_dataset d LEFT JOIN names n ON n.id = d.schema LEFT JOIN words k ON k.id = d.kind LEFT JOIN texts t ON t.id = d.query;

CREATE VIEW dcs_fields AS
SELECT n.name AS "schema", f.dataset AS dataset, f.path AS path, f.field AS field, f.title AS title, t.text AS types
FROM dcs_field f LEFT JOIN names n ON n.id = f.schema LEFT JOIN texts t ON t.id = f.types;

CREATE VIEW dcs_parameters AS
SELECT n.name AS "schema", p.name AS name, p.title AS title, t.text AS types, v.text AS value
FROM dcs_parameter p LEFT JOIN names n ON n.id = p.schema LEFT JOIN texts t ON t.id = p.types LEFT JOIN texts v ON v.id = p.value;

CREATE VIEW dcs_variants AS
SELECT n.name AS "schema", v.name AS name, v.title AS title FROM dcs_variant v LEFT JOIN names n ON n.id = v.schema;

CREATE VIEW queries AS
SELECT n.name AS owner, q.line AS line, t.text AS text
FROM query q LEFT JOIN names n ON n.id = q.owner LEFT JOIN texts t ON t.id = q.text;

-- `table` is canonical (`Document.X.TabularSection.Y`, `AccumulationRegister.R.Balance`) if it names metadata, else as written
-- (`ВТ`, `&Таблица`, `Справочник.%1`); NULL where a field's table can't be told. A field is its path as written behind the
-- table; nested queries and temporary tables of the text are followed. `line` is where it stands, `query_line` where its
-- text begins.
CREATE VIEW query_tables AS
SELECT n.name AS owner, q.line AS line, t.word AS "table", k.word AS kind, q.query_line AS query_line
FROM query_table q LEFT JOIN names n ON n.id = q.owner LEFT JOIN words t ON t.id = q."table"
LEFT JOIN words k ON k.id = q.kind;

CREATE VIEW query_fields AS
SELECT n.name AS owner, q.line AS line, t.word AS "table", f.word AS field, q.query_line AS query_line
FROM query_field q LEFT JOIN names n ON n.id = q.owner LEFT JOIN words t ON t.id = q."table"
LEFT JOIN words f ON f.id = q.field;

CREATE VIEW strings AS
SELECT n.name AS method, s.line AS line, t.text AS value
FROM string s LEFT JOIN names n ON n.id = s.method LEFT JOIN texts t ON t.id = s.value;

-- Beyond the contract.
CREATE VIEW layers AS SELECT name, kind, purpose, format, root FROM layer;

CREATE VIEW templates AS
SELECT n.name AS full_name, o.name AS object, k.word AS kind, f.path AS file
FROM template t LEFT JOIN names n ON n.id = t.id LEFT JOIN names o ON o.id = t.object LEFT JOIN words k ON k.id = t.kind
LEFT JOIN file f ON f.id = t.file;

CREATE VIEW properties AS
SELECT n.name AS owner, w.word AS name, t.text AS value
FROM property p LEFT JOIN names n ON n.id = p.owner LEFT JOIN words w ON w.id = p.name LEFT JOIN texts t ON t.id = p.value;

CREATE VIEW links AS
SELECT o.name AS owner, w.word AS property, t.name AS target, v.word AS value, f.path AS file, l.line AS line
FROM link l LEFT JOIN names o ON o.id = l.owner LEFT JOIN words w ON w.id = l.property LEFT JOIN names t ON t.id = l.target
LEFT JOIN words v ON v.id = l.value LEFT JOIN file f ON f.id = l.file;

CREATE VIEW help_pages AS
SELECT o.name AS owner, l.word AS language, f.path AS file
FROM help_page h LEFT JOIN names o ON o.id = h.owner LEFT JOIN words l ON l.id = h.language LEFT JOIN file f ON f.id = h.file;

CREATE VIEW method_types AS
SELECT n.name AS method, t.param AS param, w.word AS type, x.word AS source
FROM method_type t LEFT JOIN names n ON n.id = t.method LEFT JOIN words w ON w.id = t.type LEFT JOIN words x ON x.id = t.source;

CREATE VIEW dynamic_sites AS
SELECT n.name AS method, s.line AS line, k.word AS kind, s.known AS known, f.path AS file
FROM dynamic_site s LEFT JOIN names n ON n.id = s.method LEFT JOIN words k ON k.id = s.kind LEFT JOIN file f ON f.id = s.file;

-- Both ends of events that `Оповестить` sends to open forms, by the folded name; `*` for the part that a handler doesn't compare.
CREATE VIEW notifications AS
SELECT h.hub AS event, iif(h.side = 0, 'sender', 'handler') AS role, n.name AS method, c.word AS channel, w.word AS confidence,
  f.path AS file, h.line AS line
FROM half h JOIN words c ON c.id = h.channel LEFT JOIN words w ON w.id = h.confidence LEFT JOIN names n ON n.id = h.node
LEFT JOIN file f ON f.id = h.file
WHERE c.word LIKE 'notification_event%';

CREATE VIEW problems AS SELECT file, line, kind, message_ru, message_en FROM problem;
CREATE VIEW files AS SELECT path, size, modified FROM file;
