#!/bin/sh
# hcl-rs 0.20.0 for Rust: read into a value and written again, the reference `var.n` is the literal text `$${var.n}`, and a call
# too. One block of a kind is an object, two are a list. A number as a key, as Terraform takes it, is refused. hcl-edit 0.10.0
# writes \u00e9 as é.
. "$(dirname "$0")/lib.sh"
rust_program 'hcl-rs = "=0.20.0"' 'hcl-edit = "=0.10.0"' 'serde_json = "1"' > out <<'PROGRAM'
use serde_json::Value;

fn main() {
    let value: Value = hcl::from_str("key = var.n\nname = upper(var.n)\n").unwrap();
    print!("{}", hcl::to_string(&value).unwrap());
    for blocks in ["condition { share = 1 }\n", "condition { share = 1 }\ncondition { share = 2 }\n"] {
        println!("{}", hcl::from_str::<Value>(blocks).unwrap());
    }
    println!("{}", hcl::from_str::<Value>("names = { 5 = \"five\" }\n").is_err());
    let body: hcl_edit::structure::Body = "# kept\nname = \"Zo\\u00eb\"\n".parse().unwrap();
    println!("{:?}", body.to_string());
}
PROGRAM
seen 'written again; blocks; is a number as a key refused; hcl-edit' 'key = "$${var.n}"
name = "$${upper(var.n)}"
{"condition":{"share":1}}
{"condition":[{"share":1},{"share":2}]}
true
"# kept\nname = \"Zoë\"\n"' "$(cat out)"
