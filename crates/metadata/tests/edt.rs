mod facts;
use metascope_metadata::read;
use support::require_corpus;
#[test]
#[ignore = "corpus"]
fn dev() {
    let a = facts::of(&read(&require_corpus("ssl_3_1")).unwrap());
    let b = facts::of(&read(&require_corpus("ssl_3_1_edt")).unwrap());
    let known = |f: &facts::Facts, s: &str| f.keys().any(|k| k.subject == s);
    let _ = known;
    let subj = |f: &facts::Facts| f.keys().map(|k| k.subject.clone()).collect::<std::collections::HashSet<_>>();
    let (sa, sb) = (subj(&a), subj(&b));
    for d in facts::differences(&a, &b) {
        let side = match (sa.contains(&d.key.subject), sb.contains(&d.key.subject)) {
            (true, true) => "both",
            (true, false) => "A",
            _ => "B",
        };
        println!("DIFF\t{side}\t{}\t{}\t{}\t{:?}\t{:?}", d.key.kind, d.key.subject, d.key.what, d.first, d.second);
    }
}
