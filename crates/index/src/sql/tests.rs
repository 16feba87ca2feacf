//! The attacks that the guard must hold against, and what honest queries get.

use super::*;
use crate::schema;
use rusqlite::params;

fn database() -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let connection = Connection::open(&path).unwrap();
    schema::create(&connection).unwrap();
    for (id, name) in [(1, "Catalog.Валюты"), (2, "Catalog.Банки")] {
        connection.execute("INSERT INTO names VALUES (?1, ?2, 0, 0, 0)", params![id, name]).unwrap();
        connection.execute("INSERT INTO words VALUES (?1, 'Catalog')", [id]).unwrap();
        connection
            .execute("INSERT INTO object (id, kind, name, layer) VALUES (?1, 1, ?2, 0)", params![id, &name[8..]])
            .unwrap();
    }
    connection
        .execute("INSERT INTO fulltext (rowid, name, owner, doc, body) VALUES (1, 'валют', '', '', '')", [])
        .unwrap();
    (dir, path)
}

fn run(path: &Path, sql: &str) -> Result<SqlAnswer> {
    let limits = SqlLimits { rows: 100, bytes: 1 << 20, time: Duration::from_millis(700) };
    select(path, sql, limits)
}

#[test]
fn honest_queries_are_answered() {
    let (_dir, path) = database();
    for sql in [
        "SELECT * FROM objects",
        "select count(*) from objects where full_name in (select name from names)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n<5) SELECT n FROM r",
        "SELECT rowid, bm25(fulltext) FROM fulltext WHERE fulltext MATCH 'валют'",
        "SELECT json_extract('{\"a\":1}','$.a'), sum(length(name)) OVER () FROM objects",
        "VALUES(1)",
        "SELECT name FROM sqlite_master",
        "SELECT full_name FROM objects -- comment",
        "SELECT 1;",
        "EXPLAIN QUERY PLAN SELECT * FROM names",
        "SELECT full_name FROM objects WHERE fold(name) LIKE '%валют%'",
    ] {
        let answer = run(&path, sql);
        assert!(answer.as_ref().is_ok_and(|a| !a.rows.is_empty()), "{sql}: {answer:?}");
    }
    assert_eq!(run(&path, "SELECT fold('ВАЛЮТА')").unwrap().rows, [["валюта"]]);
}

#[test]
fn attacks_are_refused_and_leave_nothing_behind() {
    let (dir, path) = database();
    let before = std::fs::read(&path).unwrap();
    let evil = dir.path().join("evil.db");
    let evil = evil.display();
    for sql in [
        "SELECT 1; DELETE FROM names",
        "SELECT 1; SELECT 2",
        "DELETE FROM names",
        "UPDATE names SET name = ''",
        "WITH x AS (SELECT 1) DELETE FROM names",
        "WITH x AS (SELECT 1 a) INSERT INTO words SELECT a, a FROM x RETURNING *",
        "PRAGMA journal_mode=DELETE",
        "PRAGMA query_only=0",
        "PRAGMA table_info(names)",
        "SELECT * FROM pragma_table_info('names')",
        &format!("ATTACH '{evil}' AS e"),
        "SELECT load_extension('x')",
        &format!("VACUUM INTO '{evil}'"),
        "VACUUM",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "SAVEPOINT a",
        "CREATE TEMP TABLE z(a)",
        "CREATE TABLE z(a)",
        "CREATE VIRTUAL TABLE z USING fts5(a)",
        "DROP TABLE names",
        "ALTER TABLE names RENAME TO n",
        "DETACH main",
        "SELECT fts5('x')",
        "INSERT INTO fulltext(fulltext) VALUES('optimize')",
        "",
        "/* x */",
        "-- x",
        "SELECT",
        "SELECT writefile('x', 'y')",
        "SELECT readfile('/etc/passwd')",
        "SELECT edit('x')",
        "SELECT zeroblob(1000000000)",
        "SELECT length(randomblob(1000000000))",
        "SELECT printf('%.*c',1000000000,'x')",
        "SELECT length(replace(hex(zeroblob(1000000)),'0','00000'))",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT count(*) FROM r",
        "WITH RECURSIVE r(n,s) AS (SELECT 1,'x' UNION ALL SELECT n+1,s||s FROM r) SELECT max(length(s)) FROM r",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n+1 FROM r) SELECT * FROM r ORDER BY n DESC",
        "SELECT group_concat(n) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r LIMIT 100000000) SELECT n FROM r)",
        &format!("SELECT {}1", "NOT ".repeat(500)),
        &format!("SELECT '{}'", "x".repeat(30_000)),
    ] {
        let start = Instant::now();
        let answer = run(&path, sql);
        assert!(matches!(answer, Err(Error::Sql { .. })), "{sql}: {answer:?}");
        assert!(start.elapsed() < Duration::from_secs(3), "{sql}: {:?}", start.elapsed());
    }
    assert!(!dir.path().join("evil.db").exists());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn unknown_names_come_with_the_nearest() {
    let (_dir, path) = database();
    let hint = |sql: &str| match run(&path, sql) {
        Err(Error::Sql { hint, .. }) => hint,
        other => panic!("{sql}: {other:?}"),
    };
    assert!(hint("SELECT * FROM object_s").contains("objects"));
    assert!(hint("SELECT * FROM method_").contains("methods"));
    let columns = hint("SELECT fullname FROM objects");
    assert!(columns.contains("did you mean full_name?") && columns.contains("objects(full_name, kind"), "{columns}");
}

#[test]
fn limits_cut_and_say_so() {
    let (_dir, path) = database();
    let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n, n FROM r";
    let answer = run(&path, endless).unwrap();
    assert_eq!((answer.rows.len(), answer.truncated), (100, true));
    assert_eq!(answer.columns, ["n", "n_2"]);
    let long = SqlLimits { rows: 100_000, bytes: 1000, time: Duration::from_secs(5) };
    let answer = select(&path, &endless.replace("n, n", "n, 'ыыыыыыыыыы'"), long).unwrap();
    assert!(answer.truncated && answer.rows.len() < 50);
}

#[test]
fn what_was_found_before_time_ran_out_is_an_answer() {
    let (_dir, path) = database();
    let some = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n FROM r WHERE n < 4";
    let answer = run(&path, some).unwrap();
    assert_eq!((answer.rows.len(), answer.truncated, answer.timed_out), (3, true, true));
    assert!(run(&path, &some.replace("n < 4", "n < 0")).is_err(), "nothing at all is no answer");
}
