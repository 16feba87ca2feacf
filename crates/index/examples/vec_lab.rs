//! Scratch: compares texts on a sample. Not kept.
use metascope_index::vectors::{cache::*, corpus::*, model::*};
use std::collections::{HashMap, HashSet};
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let (db, root, sample): (&str, &str, usize) = (&args[1], &args[2], args[3].parse()?);
    let show = args.get(4).map(String::as_str);
    let gold: Vec<serde_json::Value> = std::fs::read_to_string("/work/shared/gold/search_dev.jsonl")?.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let expected: HashSet<String> = gold.iter().flat_map(|g| g["expect"].as_array().unwrap().iter().map(|e| e.as_str().unwrap().to_string())).collect();
    let connection = rusqlite::Connection::open(db)?;
    let t = std::time::Instant::now();
    let mut items = vec![];
    let (mut n, mut chars, mut nb, mut nm) = (0usize, (0usize, 0usize), 0usize, 0usize);
    let mut distinct = HashSet::new();
    let (mut da, mut dbb) = (0, 0);
    Corpus { connection: &connection, root: root.as_ref() }.each(&mut |item| {
        n += 1;
        if item.class == Class::Method { nm += 1; }
        chars.0 += item.name_text.chars().count();
        if distinct.insert(text_hash(&item.name_text)) { da += 1 }
        for b in &item.body_texts { nb += 1; chars.1 += b.chars().count(); if distinct.insert(text_hash(b)) { dbb += 1 } }
        if let Some(p) = show { if item.full_name.contains(p) { println!("{}\n  A {}\n", item.full_name, item.name_text); for b in &item.body_texts { println!("  B {b}"); } } }
        let keep = expected.contains(&item.full_name) || item.class == Class::Object || (sample > 0 && nm % (38310 / sample) == 0);
        if keep { items.push(item); }
        true
    })?;
    println!("{n} items, {nb} b texts, distinct {da} {dbb}, chars {chars:?}, kept {}, {:?}", items.len(), t.elapsed());
    if show.is_some() { return Ok(()); }
    let dir = "/root/.local/share/metascope";
    let at = paths::Embedder { model_dir: format!("{dir}/models/multilingual-e5-small").into(), runtime: format!("{dir}/onnxruntime/1.32.0/libonnxruntime.so").into() };
    let id = std::env::var("MODEL_ID")?;
    let t = std::time::Instant::now();
    let mut model = Model::load(&at, id.clone())?;
    println!("load {:?}", t.elapsed());
    let mut cache = Cache::open("/work/scratch_vec/cache".as_ref(), &id)?;
    let mut memo: HashMap<TextHash, Vec<f32>> = HashMap::new();
    let t = std::time::Instant::now();
    let mut made = 0;
    for item in &items {
        for text in std::iter::once(&item.name_text).chain(&item.body_texts) {
            let h = text_hash(text);
            if memo.contains_key(&h) { continue; }
            let v = match cache.get(&h)? { Some(v) => v.iter().map(|x| x.to_f32()).collect(), None => { made += 1; let v = model.passage(text)?; cache.put(&[(h, v.clone())])?; v } };
            memo.insert(h, v);
        }
    }
    println!("made {made} in {:?}", t.elapsed());
    let dim = 384;
    let mean = |hs: Vec<TextHash>| { let mut m = vec![0f32; dim]; for h in &hs { for (a, b) in m.iter_mut().zip(&memo[h]) { *a += b } } m.iter_mut().for_each(|x| *x /= hs.len().max(1) as f32); m };
    let centre = |v: &[f32], m: &[f32]| -> Vec<f32> { let mut o: Vec<f32> = v.iter().zip(m).map(|(a, b)| a - b).collect(); let n = o.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9); o.iter_mut().for_each(|x| *x /= n); o };
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    for (class, kind) in [(Class::Method, "function"), (Class::Object, "object")] {
        let rows: Vec<&Item> = items.iter().filter(|i| i.class == class && (class == Class::Method || DATA.contains(&i.full_name.split('.').next().unwrap()))).collect();
        let ma = mean(rows.iter().map(|i| text_hash(&i.name_text)).collect());
        let mb = mean(rows.iter().flat_map(|i| i.body_texts.iter().map(|t| text_hash(t))).collect());
        let zero = vec![0f32; dim];
        let va: Vec<Vec<f32>> = rows.iter().map(|i| centre(&memo[&text_hash(&i.name_text)], &ma)).collect();
        let vb: Vec<Vec<Vec<f32>>> = rows.iter().map(|i| i.body_texts.iter().map(|t| centre(&memo[&text_hash(t)], &mb)).collect()).collect();
        let qs: Vec<(usize, Vec<f32>)> = gold.iter().enumerate().filter(|(_, g)| g["kind"] == kind).map(|(i, g)| (i, model.query(g["query"].as_str().unwrap()).unwrap())).collect();
        for leg in ["A", "B", "A+B", "A+rawB"] {
            let mut by: std::collections::BTreeMap<String, (usize, usize, usize, usize, f32)> = Default::default();
            for (qi, q) in &qs {
                let (qa, qb) = (centre(q, &ma), centre(q, &mb));
                let mut scores: Vec<(f32, usize)> = (0..rows.len()).map(|r| {
                    let a = dot(&qa, &va[r]);
                    let b = vb[r].iter().map(|v| dot(&qb, v)).fold(f32::MIN, f32::max);
                    let b = if vb[r].is_empty() { a } else { b };
                    (match leg { "A" => a, "B" => b, "A+B" => a + b, _ => a + 0.5 * b }, r)
                }).collect();
                scores.sort_by(|a, b| b.0.total_cmp(&a.0));
                let g = &gold[*qi];
                let exp: Vec<&str> = g["expect"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
                let rank = scores.iter().position(|(_, r)| exp.contains(&rows[*r].full_name.as_str())).map_or(99999, |p| p + 1);
                for key in [g["style"].as_str().unwrap().to_string(), "~all".into()] {
                    let e = by.entry(key).or_default();
                    e.0 += 1; if rank <= 1 { e.1 += 1 } if rank <= 5 { e.2 += 1 } if rank <= 10 { e.3 += 1; e.4 += 1.0 / rank as f32 }
                }
            }
            let _ = &zero;
            print!("{kind:9} {leg:7}");
            for (k, v) in by { print!(" | {k} {}: {}/{}/{} {:.3}", v.0, v.1, v.2, v.3, v.4 / v.0 as f32); }
            println!();
        }
    }
    Ok(())
}
const DATA: &[&str] = &["Catalog", "Document", "InformationRegister", "AccumulationRegister", "Report", "DataProcessor", "Enum", "Constant", "BusinessProcess", "Task", "ExchangePlan", "DocumentJournal", "ChartOfCharacteristicTypes"];
