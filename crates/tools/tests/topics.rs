//! Which tools are sent with which questions: none that an answer needs is left out, and how much is sent.

use metascope_tools::Registry;
use metascope_tools::topics::{self, Choice, Question, Router, choose};

/// What a question is about, the tools that its answer needs, the question.
type Row = (&'static str, Vec<&'static str>, &'static str);

fn questions() -> Vec<Row> {
    rows(include_str!("data/questions.tsv"))
}

/// Those of people who don't know the terms.
fn everyday() -> Vec<Row> {
    rows(include_str!("data/questions_everyday.tsv"))
}

fn rows(table: &'static str) -> Vec<Row> {
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        (cells[0], cells[1].split(' ').collect(), cells[2])
    })
    .collect()
}

/// Tools of the contract with the characters of their schemas. A tool that does not exist yet counts as much as one that does, on
/// the average.
fn sizes() -> Vec<(&'static str, usize)> {
    let size = |name: &str| {
        let tool = Registry::default().get(name).ok()?;
        Some(tool.name.len() + tool.description().chars().count() + tool.schema().to_string().chars().count())
    };
    let known: Vec<usize> = topics::tools().filter_map(size).collect();
    let average = known.iter().sum::<usize>() / known.len();
    topics::tools().map(|name| (name, size(name).unwrap_or(average))).collect()
}

#[test]
fn the_tools_that_answers_need_are_sent() {
    let questions = questions();
    assert_eq!(questions.len(), 80);
    let mut left_out = Vec::new();
    for (_, needs, text) in &questions {
        let choice = choose(&Question { text, ..Question::default() }, None);
        for tool in needs {
            assert!(topics::of_tool(tool).is_some(), "{tool} is no tool");
            if !choice.takes_named(tool) {
                left_out.push(format!("{tool} ({:?}): {text}", choice.topics()));
            }
        }
    }
    assert!(left_out.is_empty(), "{}", left_out.join("\n"));
}

#[test]
fn a_question_about_code_gets_at_most_two_fifths_and_one_about_a_report_half() {
    let sizes = sizes();
    let all: usize = sizes.iter().map(|(_, size)| size).sum();
    let mut too_much = Vec::new();
    let (mut sum, mut count) = (0.0, 0.0);
    for (about, _, text) in questions() {
        let choice = choose(&Question { text, ..Question::default() }, None);
        let sent: usize = sizes.iter().filter(|(name, _)| choice.takes_named(name)).map(|(_, size)| size).sum();
        let share = sent as f64 / all as f64;
        (sum, count) = (sum + share, count + 1.0);
        let bar = match about {
            "code" => 0.4,
            "report" => 0.5,
            _ => 1.0,
        };
        println!("{share:.2} {about} {:?} {text}", choice.topics());
        if share > bar {
            too_much.push(format!("{share:.2} {:?}: {text}", choice.topics()));
        }
    }
    println!("{all} characters in all; {:.2} of them with a question, on the average", sum / count);
    assert!(too_much.is_empty(), "{}", too_much.join("\n"));
}

/// How much of all schemas is sent.
fn share(choice: &Choice) -> f64 {
    let sizes = sizes();
    let all: usize = sizes.iter().map(|(_, size)| size).sum();
    let sent: usize = sizes.iter().filter(|(name, _)| choice.takes_named(name)).map(|(_, size)| size).sum();
    sent as f64 / all as f64
}

/// How many of the questions get every tool that they need, and the share of the schemas that is sent, on the average.
fn measured(questions: &[Row], mut router: Option<&mut dyn Router>) -> (usize, f64) {
    let (mut whole, mut shares) = (0, 0.0);
    for (about, needs, text) in questions {
        let router: Option<&mut dyn Router> = match &mut router {
            Some(router) => Some(&mut **router),
            None => None,
        };
        let choice = choose(&Question { text, ..Question::default() }, router);
        let lacks: Vec<&str> = needs.iter().copied().filter(|tool| !choice.takes_named(tool)).collect();
        println!("{:.2} {about} {:?} {text} {lacks:?}", share(&choice), choice.topics());
        whole += usize::from(lacks.is_empty());
        shares += share(&choice);
    }
    (whole, shares / questions.len() as f64)
}

/// Rows in even places: those in odd ones chose the numbers of the router.
fn reported(questions: Vec<Row>) -> Vec<Row> {
    questions.into_iter().skip(1).step_by(2).collect()
}

/// With the real model: what words decide stays within its bars, and where words say nothing meaning finds more with less.
#[test]
#[ignore = "corpus"]
fn meaning_finds_what_words_do_not_say() {
    if let Err(error) = index::vectors::model::locate(None) {
        println!("skipped: no embedding model ({error})");
        return;
    }
    let mut meaning = metascope_tools::Meaning::of_user(None);
    // The model and the vectors of the texts of topics are loaded, or made, once.
    choose(&Question { text: "Кто вызывает?", ..Question::default() }, Some(&mut meaning));
    let begun = std::time::Instant::now();
    let questions = questions();
    let (whole, mean) = measured(&questions, Some(&mut meaning));
    let milliseconds = begun.elapsed().as_secs_f64() * 1000.0 / questions.len() as f64;
    println!("{whole} of {} are whole, share {mean:.3}, {milliseconds:.1} ms a question", questions.len());
    assert_eq!(whole, questions.len());
    for (about, _, text) in &questions {
        let bar = match *about {
            "code" => 0.4,
            "report" => 0.5,
            _ => 1.0,
        };
        let sent = share(&choose(&Question { text, ..Question::default() }, Some(&mut meaning)));
        assert!(sent <= bar, "{sent:.2}: {text}");
    }
    let everyday = reported(everyday());
    let (words, words_share) = measured(&everyday, None);
    let (both, both_share) = measured(&everyday, Some(&mut meaning));
    println!(
        "of {} everyday questions: {words} by words ({words_share:.3}), {both} with meaning ({both_share:.3})",
        everyday.len()
    );
    assert!(both >= words + 4 && both_share < words_share, "{words} {words_share:.3}, {both} {both_share:.3}");
}
