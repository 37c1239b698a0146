//! `where`: an SQL expression that a rule's events must satisfy. The only file that knows Polars.

use super::FieldRef;
use thiserror::Error;

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Filter {
    /// As it is written.
    pub sql: String,
    /// The fields that it reads, in the order in which [`Filter::keep`] wants their columns; at least one.
    pub fields: Vec<FieldRef>,
    expression: sql::Expression,
}

/// Why an expression cannot be used, or failed on a batch.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}; {help}")]
pub struct FilterError {
    pub message: String,
    pub help: String,
}

impl Filter {
    /// Checks an expression over the fields of these names.
    ///
    /// Errors: no SQL, a field that is not known, an expression that is not true or false for each record by itself; in a build
    /// without the feature `columnar`, always.
    pub fn parse(sql: &str, known: &[&str]) -> Result<Self, FilterError> {
        let (expression, fields) = sql::parse(sql, known)?;
        Ok(Self { sql: sql.to_owned(), fields, expression })
    }

    /// For each record of a batch, whether it satisfies the expression; where the answer is NULL it does not. `columns` holds the
    /// values of `fields`: `amount` as decimal text in major units, which is compared exactly; `time` as RFC 3339 text in
    /// UTC, compared as text; everything else as text.
    ///
    /// Errors: columns of different lengths, an amount that is no decimal or has more than 38 digits, a value that a CAST refuses.
    pub fn keep(&self, columns: &[Vec<Option<String>>]) -> Result<Vec<bool>, FilterError> {
        sql::keep(&self.expression, &self.fields, columns)
    }
}

#[cfg(not(feature = "columnar"))]
mod sql {
    use super::{FieldRef, FilterError};

    /// There is none in this build.
    #[derive(Clone, Debug)]
    pub(super) enum Expression {}

    pub(super) fn parse(_: &str, _: &[&str]) -> Result<(Expression, Vec<FieldRef>), FilterError> {
        Err(FilterError {
            message: "this build cannot evaluate \"where\"".into(),
            help: "use a build with the feature columnar, or leave it out".into(),
        })
    }

    pub(super) fn keep(expression: &Expression, _: &[FieldRef], _: &[Vec<Option<String>>]) -> Result<Vec<bool>, FilterError> {
        match *expression {}
    }
}

#[cfg(feature = "columnar")]
mod sql {
    use super::{FieldRef, FilterError};
    use crate::rules::problem::did_you_mean;
    use polars::prelude::*;
    use polars::sql::sql_expr;
    use rust_decimal::Decimal;

    /// Digits of every amount column; the most that Polars has.
    const DIGITS: usize = 38;
    /// Digits after the point that every amount column has at least.
    const LEAST_SCALE: u32 = 4;
    /// Significant digits that a literal with a point may have: so many survive the parser, which reads it as a float.
    const LITERAL_DIGITS: usize = 15;

    /// Functions whose answer for a record depends on that record alone, by the name Polars prints. Without this list a sum or a rank
    /// could slip in, and the answer would depend on where a batch ends.
    const FUNCTIONS: [&str; 25] = [
        "is_null",
        "is_not_null",
        "is_in",
        "is_between",
        "not",
        "abs",
        "negate",
        "coalesce",
        "fill_null",
        "str.contains",
        "str.starts_with",
        "str.ends_with",
        "str.to_lowercase",
        "str.to_uppercase",
        "str.len_chars",
        "str.len_bytes",
        "str.slice",
        "str.head",
        "str.tail",
        "str.strip_chars",
        "str.strip_chars_start",
        "str.strip_chars_end",
        "str.replace",
        "str.concat_horizontal",
        "str.find",
    ];

    #[derive(Clone, Debug)]
    pub(super) struct Expression {
        expr: Expr,
        /// Digits after the point that the literals need.
        scale: u32,
    }

    pub(super) fn parse(sql: &str, known: &[&str]) -> Result<(Expression, Vec<FieldRef>), FilterError> {
        refuse_long_literals(sql)?;
        let expr = sql_expr(sql).map_err(|error| FilterError {
            message: format!("no SQL expression: {}", reason(&error)),
            help: "write for example amount > 0 AND operation LIKE 'create%'; names that are SQL words stand in double quotes"
                .into(),
        })?;
        let fields = check(&expr, known)?;
        let mut scale = LEAST_SCALE;
        let expr = expr.try_map_expr(|part| exact(part, &mut scale)).map_err(|error| FilterError {
            message: format!("a number cannot be read exactly: {}", reason(&error)),
            help: "write it with fewer digits".into(),
        })?;
        refuse_mixed_types(&expr, &fields)?;
        let expression = Expression { expr, scale };
        // Types are settled by a batch of one record that says nothing.
        let nothing = vec![vec![None]; fields.len()];
        keep(&expression, &fields, &nothing)?;
        Ok((expression, fields))
    }

    pub(super) fn keep(
        expression: &Expression,
        fields: &[FieldRef],
        columns: &[Vec<Option<String>>],
    ) -> Result<Vec<bool>, FilterError> {
        let height = columns.first().map_or(0, Vec::len);
        if columns.len() != fields.len() || columns.iter().any(|column| column.len() != height) {
            return Err(FilterError {
                message: format!("{} columns for {} fields, or of different lengths", columns.len(), fields.len()),
                help: "give one column of equal length for each field".into(),
            });
        }
        let columns = fields
            .iter()
            .zip(columns)
            .map(|(field, values)| match field {
                FieldRef::Amount => amounts(values, expression.scale),
                _ => Ok(Column::new(field.name().into(), values)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let answer = evaluate(&expression.expr, height, columns).map_err(|error| FilterError {
            message: format!("\"where\" cannot be evaluated: {}", reason(&error)),
            help: "amount is a number, everything else is text; CAST what shall be another type".into(),
        })?;
        let answers = answer.bool().map_err(|_| FilterError {
            message: format!("\"where\" gives {} instead of true or false", answer.dtype()),
            help: "write a condition".into(),
        })?;
        if answers.len() != height {
            return Err(FilterError {
                message: "\"where\" gives one answer for all records".into(),
                help: "write a condition on fields".into(),
            });
        }
        Ok(answers.iter().map(|answer| answer.unwrap_or(false)).collect())
    }

    fn evaluate(expr: &Expr, height: usize, columns: Vec<Column>) -> PolarsResult<Column> {
        let frame = DataFrame::new(height, columns)?;
        let answer = frame.lazy().select([expr.clone().alias("keep")]).collect()?;
        answer.column("keep").cloned()
    }

    /// Decimal text as a column that keeps every digit.
    fn amounts(values: &[Option<String>], least_scale: u32) -> Result<Column, FilterError> {
        let refused = |value: &str, why: &str| FilterError {
            message: format!("amount \"{value}\" {why}"),
            help: "check the amount column's mapping".into(),
        };
        let mut scale = least_scale;
        let mut amounts = Vec::with_capacity(values.len());
        for value in values {
            let amount = value
                .as_deref()
                .map(|text| Decimal::from_str_exact(text).map_err(|_| refused(text, "is no decimal number")))
                .transpose()?;
            scale = amount.map_or(scale, |amount| scale.max(amount.scale()));
            amounts.push(amount);
        }
        let units = amounts
            .iter()
            .map(|amount| {
                let Some(amount) = amount else { return Ok(None) };
                let units = 10_i128.checked_pow(scale - amount.scale()).and_then(|factor| amount.mantissa().checked_mul(factor));
                let fits = units.filter(|units| units.unsigned_abs() < 10_u128.pow(DIGITS as u32));
                fits.map(Some).ok_or_else(|| refused(&amount.to_string(), "has too many digits beside the others"))
            })
            .collect::<Result<Vec<Option<i128>>, _>>()?;
        let column = Int128Chunked::from_iter_options("amount".into(), units.into_iter()).into_decimal(DIGITS, scale as usize);
        column.map(|column| column.into_column()).map_err(|error| FilterError {
            message: format!("amounts cannot be compared: {}", reason(&error)),
            help: "check the amount column's mapping".into(),
        })
    }

    /// The fields that an expression reads, in order of their first use; refuses what does not look at one record alone.
    fn check(expr: &Expr, known: &[&str]) -> Result<Vec<FieldRef>, FilterError> {
        let mut fields: Vec<FieldRef> = Vec::new();
        for part in expr {
            let allowed = match part {
                Expr::Column(name) => {
                    let field = FieldRef::parse(name);
                    if !known.contains(&name.as_str()) {
                        return Err(FilterError {
                            message: format!("\"where\" reads a field \"{name}\" that no source of this rule maps"),
                            help: did_you_mean(name, known.iter().copied()),
                        });
                    }
                    if !fields.contains(&field) {
                        fields.push(field);
                    }
                    true
                }
                Expr::Literal(_) | Expr::Ternary { .. } | Expr::Alias(..) => true,
                Expr::Agg(AggExpr::Implode { input, .. }) => matches!(**input, Expr::Literal(_)),
                Expr::BinaryExpr { op, .. } => is_exact(*op),
                Expr::Cast { dtype: DataTypeExpr::Literal(dtype), .. } => !dtype.is_float(),
                Expr::Function { function, .. } => FUNCTIONS.contains(&function.to_string().as_str()),
                _ => false,
            };
            if !allowed {
                return Err(FilterError {
                    message: format!("\"where\" cannot use {part:?}"),
                    help: "use comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, +, -, CASE, CAST or COALESCE".into(),
                });
            }
        }
        if fields.is_empty() {
            return Err(FilterError {
                message: "\"where\" reads no field".into(),
                help: format!("compare one of {}", known.join(", ")),
            });
        }
        Ok(fields)
    }

    /// Multiplication and division would round.
    fn is_exact(op: Operator) -> bool {
        use Operator::{
            And, Eq, EqValidity, Gt, GtEq, LogicalAnd, LogicalOr, Lt, LtEq, Minus, NotEq, NotEqValidity, Or, Plus, Xor,
        };
        matches!(
            op,
            And | Or
                | Xor
                | LogicalAnd
                | LogicalOr
                | Eq
                | NotEq
                | EqValidity
                | NotEqValidity
                | Lt
                | LtEq
                | Gt
                | GtEq
                | Plus
                | Minus
        )
    }

    /// Polars would compare a number with text by their spelling.
    fn refuse_mixed_types(expr: &Expr, fields: &[FieldRef]) -> Result<(), FilterError> {
        let schema: Schema = fields
            .iter()
            .map(|field| match field {
                FieldRef::Amount => Field::new("amount".into(), DataType::Decimal(DIGITS, LEAST_SCALE as usize)),
                _ => Field::new(field.name().into(), DataType::String),
            })
            .collect();
        for part in expr {
            let Expr::BinaryExpr { left, right, .. } = part else {
                continue;
            };
            // What has no type here fails on the batch of one record.
            let (Ok(left_type), Ok(right_type)) = (left.to_field(&schema), right.to_field(&schema)) else {
                continue;
            };
            if left_type.dtype().is_string() && right_type.dtype().is_numeric()
                || left_type.dtype().is_numeric() && right_type.dtype().is_string()
            {
                return Err(FilterError {
                    message: format!("\"where\" compares a number with text: {left:?} and {right:?}"),
                    help: "amount is a number, everything else is text; write numbers without quotes, or CAST".into(),
                });
            }
        }
        Ok(())
    }

    /// `x IN (0.1, 5)` as `x = 0.1 OR x = 5`: Polars looks for decimals only among those of the same scale.
    fn in_numbers(input: &[Expr]) -> Option<Expr> {
        let [value, Expr::Agg(AggExpr::Implode { input: list, .. })] = input else {
            return None;
        };
        let Expr::Literal(LiteralValue::Series(list)) = &**list else {
            return None;
        };
        if !list.dtype().is_numeric() {
            return None;
        }
        let is = |number: AnyValue<'_>| {
            let number = Scalar::new(list.dtype().clone(), number.into_static());
            value.clone().eq(Expr::Literal(LiteralValue::Scalar(number)))
        };
        list.iter().filter(|number| !number.is_null()).map(is).reduce(Expr::or)
    }

    /// The parser reads `0.1` as a float; its shortest decimal spelling is what was written.
    fn exact(part: Expr, scale: &mut u32) -> PolarsResult<Expr> {
        if let Expr::Function { input, function } = &part
            && function.to_string() == "is_in"
        {
            return Ok(in_numbers(input).unwrap_or(part));
        }
        let Expr::Literal(literal) = &part else { return Ok(part) };
        if let LiteralValue::Series(series) = literal {
            if !series.dtype().is_float() {
                return Ok(part);
            }
            let numbers = series.f64()?.iter().map(|number| number.map(decimal).transpose()).collect::<PolarsResult<Vec<_>>>()?;
            let digits = numbers.iter().flatten().map(Decimal::scale).max().unwrap_or(0);
            *scale = (*scale).max(digits);
            let units = numbers.into_iter().map(|number| {
                number.and_then(|number| number.mantissa().checked_mul(10_i128.checked_pow(digits - number.scale())?))
            });
            let column = Int128Chunked::from_iter_options(series.name().clone(), units).into_decimal(DIGITS, digits as usize)?;
            return Ok(Expr::Literal(LiteralValue::Series(SpecialEq::new(column.into_series()))));
        }
        match literal.to_any_value() {
            Some(AnyValue::Float64(number)) => {
                let number = decimal(number)?;
                *scale = (*scale).max(number.scale());
                let digits = number.scale() as usize;
                let value = AnyValue::Decimal(number.mantissa(), DIGITS, digits);
                Ok(Expr::Literal(LiteralValue::Scalar(Scalar::new(DataType::Decimal(DIGITS, digits), value))))
            }
            _ => Ok(part),
        }
    }

    fn decimal(number: f64) -> PolarsResult<Decimal> {
        let text = number.to_string();
        Decimal::from_str_exact(&text).map_err(|_| PolarsError::ComputeError(text.into()))
    }

    /// Refuses numbers with a point and more digits than a float keeps; text in quotes is no number.
    fn refuse_long_literals(sql: &str) -> Result<(), FilterError> {
        let outside: String = sql.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
        let numbers = outside.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_');
        let is_long = |number: &&str| {
            number.contains('.')
                && number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                && number.bytes().filter(u8::is_ascii_digit).count() > LITERAL_DIGITS
        };
        match numbers.into_iter().find(is_long) {
            Some(number) => Err(FilterError {
                message: format!("{number} has more digits than can be compared exactly"),
                help: format!("write at most {LITERAL_DIGITS} digits"),
            }),
            None => Ok(()),
        }
    }

    /// The first line of what Polars says.
    fn reason(error: &PolarsError) -> String {
        error.to_string().lines().next().unwrap_or_default().to_owned()
    }
}

#[cfg(all(test, feature = "columnar"))]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["amount", "operation", "time", "order", "retry no"];

    fn column(values: &[&str]) -> Vec<Option<String>> {
        values.iter().map(|value| Some((*value).to_owned()).filter(|value| !value.is_empty())).collect()
    }

    /// What an expression over one field says of each value; "" is missing.
    fn kept(sql: &str, values: &[&str]) -> Vec<bool> {
        let filter = Filter::parse(sql, &KNOWN).unwrap_or_else(|error| panic!("{sql}: {error}"));
        filter.keep(&[column(values)]).unwrap()
    }

    #[test]
    fn amounts_compare_exactly() {
        assert_eq!(kept("amount > 0", &["0.01", "0", "-5", "", "0.0000000001"]), [true, false, false, false, true]);
        assert_eq!(kept("amount > 0.1", &["0.1", "0.10", "0.10000000000000000001", "0.2"]), [false, false, true, true]);
        assert_eq!(kept("amount = 0.3", &["0.3", "0.30000000000000004"]), [true, false]);
        assert_eq!(kept("amount >= 9007199254740993", &["9007199254740992", "9007199254740993"]), [false, true]);
        assert_eq!(kept("amount BETWEEN -0.5 AND 1.5", &["-0.5", "-0.51", "1.5"]), [true, false, true]);
        assert_eq!(kept("amount IN (0.1, 5.25)", &["0.1", "5.25", "5"]), [true, true, false]);
        assert_eq!(kept("amount IN (1, 5)", &["1.00", "5.25", "5"]), [true, false, true]);
        assert_eq!(kept("amount NOT IN (1.0, 0.5)", &["1.00", "5.25", "0.5", ""]), [false, true, false, false]);
        assert_eq!(kept("amount + 0.2 > 0.3", &["0.1", "0.11"]), [false, true]);
    }

    #[test]
    fn text_is_compared_as_text() {
        assert_eq!(kept("operation LIKE 'a%'", &["ab", "ba", ""]), [true, false, false]);
        assert_eq!(kept("operation NOT LIKE 'счёт%'", &["счёт 1", "акт"]), [false, true]);
        assert_eq!(kept("operation IN ('charge', 'capture')", &["charge", "refund", ""]), [true, false, false]);
        assert_eq!(kept("operation <> 'x'", &["x", "y", ""]), [false, true, false]);
        assert_eq!(kept("LOWER(operation) = 'pay'", &["PAY", "paid"]), [true, false]);
        assert_eq!(kept("\"order\" IS NULL", &["", "7"]), [true, false]);
        assert_eq!(kept("\"order\" IS NOT NULL", &["", "7"]), [false, true]);
        assert_eq!(kept("time >= '2026-01-01'", &["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z"]), [false, true]);
        assert_eq!(kept("CAST(\"retry no\" AS INT) > 2", &["10", "2", ""]), [true, false, false]);
        assert_eq!(kept("COALESCE(operation, 'none') = 'none'", &["", "pay"]), [true, false]);
    }

    #[test]
    fn and_or_not_know_null() {
        let filter = Filter::parse("amount > 0 AND (operation = 'pay' OR NOT \"order\" = '7')", &KNOWN).unwrap();
        let names: Vec<&str> = filter.fields.iter().map(FieldRef::name).collect();
        assert_eq!(names, ["amount", "operation", "order"]);
        let columns =
            [column(&["1", "1", "1", "", "-1"]), column(&["pay", "x", "", "pay", "pay"]), column(&["", "7", "8", "8", "8"])];
        assert_eq!(filter.keep(&columns).unwrap(), [true, false, true, false, false]);
        assert_eq!(filter.keep(&[column(&[]), column(&[]), column(&[])]).unwrap(), [false; 0]);
    }

    #[test]
    fn what_cannot_be_judged_record_by_record_is_refused() {
        for sql in [
            "",
            "amount >",
            "amount > 0; DROP TABLE x",
            "amout > 0",
            "amount",
            "amount > 'x'",
            "amount > '5'",
            "amount IN ('5')",
            "amount BETWEEN '1' AND '2'",
            "operation > 5",
            "1 = 1",
            "*",
            "SUM(amount) > 5",
            "amount > AVG(amount)",
            "amount / 3 > 1",
            "CAST(amount AS DOUBLE) > 0",
            "ROW_NUMBER() OVER (ORDER BY amount) = 1",
            "operation IN (SELECT x FROM y)",
            "amount > 0.12345678901234567",
        ] {
            assert!(Filter::parse(sql, &KNOWN).is_err(), "{sql}");
        }
        let error = Filter::parse("amout > 0", &KNOWN).unwrap_err();
        assert_eq!(error.help, "did you mean \"amount\"");
    }

    #[test]
    fn a_bad_batch_is_an_error_and_not_an_answer() {
        let filter = Filter::parse("amount > 0", &KNOWN).unwrap();
        for bad in [&["1,5"][..], &["1e3"], &["79228162514264337593543950335", "0.0000000000000000000000000001"]] {
            assert!(filter.keep(&[column(bad)]).is_err(), "{bad:?}");
        }
        assert!(filter.keep(&[]).is_err());
        let cast = Filter::parse("CAST(\"retry no\" AS INT) > 2", &KNOWN).unwrap();
        assert!(cast.keep(&[column(&["many"])]).is_err());
    }
}
