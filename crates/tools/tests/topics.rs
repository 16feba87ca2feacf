//! Which tools are sent with which questions: none that an answer needs is left out, and how much is sent.

use metascope_tools::Registry;
use metascope_tools::topics::{self, Question, choose};

/// What a question is about, the tools that its answer needs, the question.
fn questions() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let rows = include_str!("data/questions.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
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
