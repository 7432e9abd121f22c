use engine::{Tool, Typed};
use kernel::ToolFailure;

use super::*;

async fn calculated(expression: &str) -> Result<CalculatorOutput, Error> {
    let input = CalculatorInput { expression: expression.to_owned() };
    CalculatorTool.call(input, &ToolContext::default()).await.map(|output| output.output)
}

async fn refusal(expression: &str) -> String {
    calculated(expression)
        .await
        .map_or_else(|error| error.message, |output| panic!("{expression}: {output:?}"))
}

#[tokio::test]
async fn its_examples_give_what_they_say() {
    let tool = Typed(CalculatorTool);
    for example in tool.examples() {
        let result = tool.call(&example.input, &ToolContext::default()).await.unwrap();
        let output = result.output.0.to_string();
        assert!(output.contains(example.output_contains), "{}: {output}", example.title);
    }
}

#[tokio::test]
async fn exact_results_keep_all_digits_and_others_are_marked_approximate() {
    for (expression, result, is_approximate) in [
        ("5 km + 3 miles to m", "9828.032 m", false),
        ("0.1 + 0.2", "0.3", false),
        ("2^100", "1267650600228229401496703205376", false),
        ("20% of 50 kg", "10 kg", false),
        ("２ + ３", "", false),
        ("2^0.5 to 20 dp", "approx. 1.4142135623731", true),
        ("0x1d4 to decimal", "468", false),
        ("1e20 * pi", "approx. 314159265358979000000", true),
        ("@2026-11-30 - 2 weeks", "Monday, 16 November 2026", false),
    ] {
        match calculated(expression).await {
            Ok(output) => {
                assert_eq!(
                    (output.result.as_str(), output.is_approximate),
                    (result, is_approximate),
                    "{expression}"
                );
            }
            Err(error) => assert!(result.is_empty() && error.message.contains(expression), "{error:?}"),
        }
    }
}

#[test]
fn unreliable_digits_are_rounded_away() {
    for (result, sure) in [
        ("approx. 0.00012345678901234567 m^2", "approx. 0.000123456789012346 m^2"),
        ("approx. 9999999999999999.5", "approx. 10000000000000000"),
        ("approx. 1.5 + 0.12345678901234567i", "approx. 1.5 + 0.123456789012346i"),
        ("approx. 0x3.243f6a8885a308d31319", "approx. 0x3.243f6a8885a308d31319"),
        ("approx. 1.5", "approx. 1.5"),
    ] {
        assert_eq!(with_sure_digits(result), sure);
    }
}

#[tokio::test]
async fn hostile_expressions_give_an_error_and_do_not_crash() {
    let hostile = [
        "10!^10!^10!",
        "9^9^9^9",
        "2^(10^9)",
        "(10^6)!",
        "10^400000",
        "fib(10^9)",
        "1/0",
        "sqrt",
        "😀 + 1",
        "5'\u{301} to",
        "@9999999999-01-01",
        "@2026-13-45",
        "(",
        ")",
        "\"a\" + \"b\" to codepoint",
        "0^0",
    ];
    let began = Instant::now();
    // Results do not matter here: each must return in time and without a panic.
    let _ = futures::future::join_all(hostile.map(calculated)).await;
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    for open in ["(", "-", "!", "2^", "1/", "sqrt ", "sin ", "[", "{", "- (", "1 to "] {
        let expression = open.repeat(LONGEST / open.len() - 1) + "2";
        let _ = calculated(&expression).await;
    }
    let _ = calculated(&("2".to_owned() + &")".repeat(LONGEST - 1))).await;
    let _ = calculated(&"a=a=".repeat(200)).await;
    let _ = calculated(&"2 kg ".repeat(190)).await;
    let _ = calculated(&("1".to_owned() + &"!".repeat(900))).await;
}

#[tokio::test]
async fn errors_name_the_expression_the_reason_and_the_next_step() {
    let deep = "(".repeat(DEEPEST + 1) + "1";
    for (expression, reason) in [
        ("", "is empty"),
        ("  \t ", "is empty"),
        (&*"1+".repeat(LONGEST), "more than 1000"),
        (&deep, "more than 50 deep"),
        ("1\n+ 1", "in one line"),
        ("(x: x x) (x: x x)", "defines a function"),
        ("\\x. x", "defines a function"),
        ("x => x", "defines a function"),
        ("@noapprox pi", "only before a day"),
        ("1000000d1000000", "throws dice"),
        ("roll d6", "throws dice"),
        ("0b11d11", "throws dice"),
        // Without the refusal each of these gives a plausible number.
        ("1,5 * 2", "more than one way"),
        ("1.234,56 * 2", "more than one way"),
        ("sqrt(2,25)", "more than one way"),
        ("mean(2,4)", "more than one way"),
        ("7 // 2", "no operation"),
        ("(1", "a bracket is open"),
        ("sin 30°", "write `sin(30°)`"),
        ("50 + 20%", "write `(50) * (1 + 20%)`"),
    ] {
        let error = calculated(expression).await.unwrap_err();
        assert_eq!(
            error.tool_failure.as_deref(),
            Some(&ToolFailure::BadInput { place: "/expression".to_owned() })
        );
        assert!(error.message.contains(reason), "{expression}: {}", error.message);
    }
    assert!(refusal("today + 1 day").await.contains("does not know today"));
    assert!(
        refusal("5 USD to EUR")
            .await
            .contains("`5 USD to EUR` cannot be calculated: the calculator knows no rates")
    );
    assert!(refusal("10!^10!^10!").await.contains("in parts"));
    assert!(refusal("3^9000").await.contains("fewer digits"));
    assert!(refusal("\"http\" + (58 to character) + \"//a.org\"").await.contains("a text"));
}

#[tokio::test]
async fn unambiguous_expressions_are_calculated() {
    for (expression, result) in
        [("1,234,567.5 * 2", "2469135"), ("15% + 5%", "20%"), ("sin(30°)", "0.5"), ("15% of 2,340", "351")]
    {
        assert_eq!(calculated(expression).await.unwrap().result, result, "{expression}");
    }
}

#[tokio::test]
async fn cancelling_a_run_stops_its_calculation() {
    let context = ToolContext::default();
    context.cancel.cancel();
    let input = CalculatorInput { expression: "10!^10!^10!".to_owned() };
    let error = CalculatorTool.call(input, &context).await.unwrap_err();
    assert_eq!(error.code, Code::Cancelled);
}
