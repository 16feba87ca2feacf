//! The route of a business process: `Ext/Flowchart.xml`. Handlers stand in the object module.

use super::Context;
use super::form::{events, references};
use crate::model::Text;
use crate::model::object::{Flowchart, RoutePoint};
use crate::xml::Xml;

/// Reads the route of the business process of that full name.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, owner: Text) -> Flowchart {
    let mut flowchart = Flowchart { owner, file: context.file, points: Vec::new(), links: Vec::new() };
    context.root(source, "GraphicalSchema", |context, xml, _| {
        xml.children(|xml, e| {
            if e.name() != "Items" {
                references(context, xml, e, e.name(), None, &mut flowchart.links);
                return;
            }
            xml.children(|xml, e| {
                let (kind, line) = (context.text(e.name()), xml.line());
                let mut point = RoutePoint { name: context.text(""), kind, events: Vec::new(), line };
                xml.children(|xml, e| match e.name() {
                    "Properties" => xml.children(|xml, e| {
                        if e.name() == "Name" {
                            point.name = context.word(xml);
                        } else {
                            references(context, xml, e, e.name(), None, &mut flowchart.links);
                        }
                    }),
                    "Events" => events(context, xml, &mut point.events),
                    _ => {}
                });
                flowchart.points.push(point);
            });
        });
    });
    flowchart
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn points_and_their_handlers() {
        let source = "<GraphicalSchema><Items><Start id=\"1\"><Properties><Name>Старт</Name></Properties>\
            <Events><Event name=\"BeforeStart\"/></Events></Start><Activity id=\"2\"><Properties><Name>Задача</Name></Properties>\n\
            <Events><Event name=\"OnExecute\">ПриВыполнении</Event></Events></Activity></Items></GraphicalSchema>";
        let (flowchart, problems) = with_context(|context| read(context, source, "BusinessProcess.П".into()));
        assert_eq!(problems, []);
        let points: Vec<_> = flowchart.points.iter().map(|p| (&*p.name, &*p.kind, p.events.len())).collect();
        assert_eq!(points, [("Старт", "Start", 0), ("Задача", "Activity", 1)]);
        assert_eq!(flowchart.points[1].events[0].line, 2);
    }

    #[test]
    fn addressing_pictures_and_items_of_the_style() {
        let source = "<GraphicalSchema xmlns:xr=\"u\"><BackColor>style:Фон</BackColor><Items><Activity id=\"2\"><Properties><Name>Задача</Name>\n\
            <AddressingAttributes><AddressingAttribute ref=\"Task.З.AddressingAttribute.Р\">\n\
            <Value>Catalog.Роли.Главная</Value></AddressingAttribute></AddressingAttributes></Properties></Activity></Items></GraphicalSchema>";
        let (flowchart, problems) = with_context(|context| read(context, source, "BusinessProcess.П".into()));
        assert_eq!(problems, []);
        let links: Vec<_> = flowchart.links.iter().map(|l| (&*l.property, &*l.target, l.line)).collect();
        assert_eq!(
            links,
            [
                ("BackColor", "StyleItem.Фон", 1),
                ("AddressingAttributes", "Task.З.AddressingAttribute.Р", 2),
                ("AddressingAttributes", "Catalog.Роли.Главная", 3),
            ]
        );
    }
}
