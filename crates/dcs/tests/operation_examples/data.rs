//! Sets, links and nested schemas; roles of fields.

use metascope_dcs::Document;

use crate::{changes, edit, parse, refuse, schema};

#[test]
fn sets_are_linked_united_and_nested() {
    let document = edit(
        &schema(),
        &[
            "add-data-set Цены = ВЫБРАТЬ Т.Менеджер КАК Кто, Т.Цена КАК Цена ИЗ РегистрСведений.Цены КАК Т",
            "add-link НаборДанных1 -> Цены @source(Менеджер) @target(Кто)",
            "modify-link НаборДанных1 -> Цены @optional @parameter(Начало)",
            "rename-data-set Цены -> Прайс",
            "add-data-set Все @union @fields(А)",
            "add-data-set Часть @inside(Все) @object(Часть) @fields(А)",
            "add-nested Остатки = ВЫБРАТЬ 1 КАК Остаток @variant(Основной)",
            "add-total Остаток @schema(Остатки)",
        ],
    );
    let schema = document.schema().unwrap();
    let link = schema.links().next().unwrap();
    assert_eq!((&*link.destination(), &*link.parameter()), ("Прайс", "Начало"));
    let names: Vec<_> = schema.all_data_sets().iter().map(|set| set.name().into_owned()).collect();
    assert_eq!(names, ["НаборДанных1", "Прайс", "Все", "Часть"]);
    assert_eq!(schema.nested_schemas().next().unwrap().schema().unwrap().totals().count(), 1);
    assert_eq!(refuse(&document, "remove-data-set Прайс").needed_by[0].path.split('[').next(), Some("dataSetLink"));
    assert_eq!(changes(&document, "remove-data-set Прайс", true).len(), 2);
    assert_eq!(refuse(&document, "remove-nested Остатки").needed_by.len(), 1);
    assert!(refuse(&document, "remove-data-source ИсточникДанных1").needed_by.iter().any(|need| !need.removable));
    assert_eq!(refuse(&document, "remove-link НаборДанных1 -> Цены").nearest.len(), 1);
}

#[test]
fn roles_and_restrictions_are_set_and_taken_away() {
    let document = edit(
        &schema(),
        &[
            "field-role Сумма @balance(начальный, Остаток)",
            "field-role Менеджер @dimension @required",
            "ограничения-поля Менеджер @ограничить(условие, порядок) @реквизиты(поле)",
        ],
    );
    let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
    let role = fields[1].role().unwrap();
    assert_eq!((&*role.balance_group(), &*role.balance_type()), ("Остаток", "OpeningBalance"));
    let restriction = fields[0].restriction().unwrap();
    assert!(restriction.condition() && restriction.order() && !restriction.group());
    let document = edit(&document, &["field-restrictions Менеджер @restrict(группировка)", "field-role Сумма @none"]);
    let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
    assert!(fields[0].restriction().unwrap().group() && !fields[0].restriction().unwrap().order());
    assert!(fields[0].attribute_restriction().unwrap().field() && fields[1].role().is_none());
    assert_eq!(refuse(&document, "field-restrictions Сумма @restrict(групировка)").nearest, ["группировка"]);
    assert!(refuse(&document, "field-role Сумма @none").message.en.contains("no role"));
}

#[test]
fn roles_of_accounts_and_their_balances() {
    let document = edit(
        &schema(),
        &[
            "add-calculated Счет = Менеджер",
            "field-role Менеджер @account_type(Счет)",
            "field-role Сумма @balance(closing, Сумма) @accounting(debit) @account-field(Счет) @ignore_nulls",
        ],
    );
    let role = |document: &Document, at: usize| {
        let fields: Vec<_> = document.schema().unwrap().data_sets().next().unwrap().fields().collect();
        let parts = fields[at].role().map(|role| role.element()).into_iter().flat_map(|role| role.children());
        parts.map(|part| format!("{}={}", part.local(), part.text())).collect::<Vec<_>>()
    };
    assert_eq!(role(&document, 0), ["account=true", "accountTypeExpression=Счет"]);
    let balance = ["balance=true", "balanceGroupName=Сумма", "balanceType=ClosingBalance"];
    let sides = ["accountingBalanceType=Debit", "accountField=Счет", "ignoreNullValues=true"];
    assert_eq!(role(&document, 1), [&balance[..], &sides[..]].concat());
    // The field follows when it is renamed; what says nothing any more goes.
    let renamed = edit(&document, &["rename-field Счет -> Конто", "field-role Менеджер @account(no) @dimension"]);
    assert!(role(&renamed, 1).contains(&"accountField=Конто".to_owned()));
    assert_eq!(role(&renamed, 0), ["dimension=true"]);
    assert_eq!(role(&edit(&document, &["field-role Сумма @balance(нет)"]), 1), ["ignoreNullValues=true"]);
    assert!(refuse(&schema(), "field-role Сумма @accounting(debit)").message.en.contains("Only a balance"));
    assert_eq!(refuse(&document, "field-role Сумма @account_field(Счт)").nearest, ["Счет"]);
    assert!(refuse(&document, "field-role Сумма @accounting(дебит)").nearest.contains(&"дебет".to_owned()));
    // What a role says of a field goes with it; the rest of the role stays.
    let plan = parse("remove-calculated Счет").plan(&document, true).unwrap();
    let gone: Vec<&str> = plan.removed_too.iter().filter_map(|need| need.path.rsplit('/').next()).collect();
    assert_eq!(gone, ["accountTypeExpression", "accountField"]);
}
