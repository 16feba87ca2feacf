//! Reads a dump and prints seconds, counts and peak memory: `cargo run --release --example measure -- PATH [PROBLEMS]`.

use metascope_metadata::{Details, Kind, Language, read};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let Some(path) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: measure PATH [NUMBER OF PROBLEMS TO SHOW]");
        std::process::exit(2);
    };
    let shown = arguments.next().and_then(|n| n.to_str().and_then(|n| n.parse().ok())).unwrap_or(20);
    let start = Instant::now();
    let configuration = match read(&path) {
        Ok(configuration) => configuration,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    println!("seconds {:.3}", start.elapsed().as_secs_f64());
    let of = |kind: &str| configuration.objects.iter().filter(|o| o.kind.is(kind)).count();
    for kind in Kind::all().filter(|k| k.is_top() && of(k.en()) > 0) {
        println!("{kind} {}", of(kind.en()));
    }
    let items: usize = configuration.objects.iter().map(|o| o.items.len()).sum();
    let links: usize = configuration.objects.iter().map(|o| o.links.len()).sum();
    let handler = |o: &&metascope_metadata::Object| matches!(o.details, Details::EventSubscription { .. });
    println!("files {} objects {} items {items} links {links}", configuration.files.len(), configuration.objects.len());
    println!("subscriptions with details {}", configuration.objects.iter().filter(handler).count());
    println!("modules {} forms {}", configuration.modules.len(), configuration.forms.len());
    let form_events: usize = configuration.forms.iter().map(|f| f.events.len()).sum();
    let item_events: usize = configuration.forms.iter().flat_map(|f| &f.items).map(|i| i.events.len()).sum();
    let actions: usize = configuration.forms.iter().flat_map(|f| &f.commands).map(|c| c.actions.len()).sum();
    let form_items: usize = configuration.forms.iter().map(|f| f.items.len()).sum();
    println!("form handlers {form_events} item handlers {item_events} actions {actions} form items {form_items}");
    let rights: usize = configuration.roles.iter().flat_map(|r| &r.objects).map(|o| o.rights.len()).sum();
    println!("roles {} rights {rights}", configuration.roles.len());
    println!(
        "commands {} templates {} predefined {} exchange {} flowcharts {} help {} interface {}",
        configuration.commands.len(),
        configuration.templates.len(),
        configuration.predefined.len(),
        configuration.exchange_plan_content.len(),
        configuration.flowcharts.len(),
        configuration.help_pages.len(),
        configuration.interface_links.len()
    );
    println!("problems {}", configuration.problems.len());
    for problem in configuration.problems.iter().take(shown) {
        println!("  {}", problem.message(Language::English));
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS")).for_each(|l| println!("{l}"));
    }
}
