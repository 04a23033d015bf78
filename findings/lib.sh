# For each finding: a temporary folder, pinned packages, and a comparison with what was seen.
# A finding ends in 0 if it still holds, in 1 if the behaviour has changed, in 77 if it cannot run here.
set -eu
findings=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# npm_packages NAME@VERSION ... (FINDINGS_KEEP=FOLDER keeps them there for the next run)
npm_packages() {
  npm init -y > /dev/null
  kept=${FINDINGS_KEEP:-$PWD}/packages-$(echo "$*" | cksum | cut -d ' ' -f 1)
  if [ ! -d "$kept" ]; then
    npm install --silent --no-audit --no-fund "$@" > npm.log 2>&1 || { echo "npm cannot install $*"; exit 77; }
    if [ -z "${FINDINGS_KEEP:-}" ]; then return; fi
    mkdir -p "$kept" && mv node_modules "$kept"
  fi
  ln -s "$kept/node_modules" node_modules
}

# seen WHAT EXPECTED ACTUAL
seen() {
  if [ "$2" = "$3" ]; then printf "%s: %s\n" "$1" "$3"; else printf "%s: expected %s, got %s\n" "$1" "$2" "$3"; exit 1; fi
}

# Installs cdktf and cdktn into one folder each, and prints what a program writes with each of them. The program
# gets the library as `lib`, and `synth`, which returns the JSON of a stack that a function fills.
with_constructs() {
  cat > program.body
  for engine in cdktf@0.21.0,constructs@10.4.2 cdktn@0.24.0,constructs@10.6.0; do
    name=${engine%%@*}
    mkdir "$folder/$name" && cd "$folder/$name"
    npm_packages $(echo "$engine" | tr ',' ' ')
    cat > program.cjs <<'PROGRAM'
const { mkdtempSync, readFileSync } = require('node:fs')
const lib = require(process.argv[2])
const synth = fill => {
  const app = new lib.App({ outdir: mkdtempSync('out-') })
  fill(new lib.TerraformStack(app, 's'), app)
  app.synth()
  return JSON.parse(readFileSync(`${app.outdir}/stacks/s/cdk.tf.json`, 'utf8'))
}
const output = value => synth(s => new lib.TerraformOutput(s, 'o', { value: value(s) })).output.o.value
const resource = fill =>
  synth(s => fill(new lib.TerraformResource(s, 'r', { terraformResourceType: 'null_resource' }))).resource.null_resource.r
PROGRAM
    cat ../program.body >> program.cjs
    node program.cjs "$name" > "../$name.out" 2>&1 || { cat "../$name.out"; exit 1; }
  done
  cd "$folder"
}

# pip_packages NAME==VERSION ...: installs them into ./venv
pip_packages() {
  python3 -m venv venv > venv.log 2>&1 || { echo 'python3 cannot make a virtual environment'; exit 77; }
  venv/bin/pip install --quiet "$@" >> venv.log 2>&1 || { echo "pip cannot install $*"; exit 77; }
}

# go_program PACKAGE@VERSION: runs the program of standard input in Go with that package
go_program() {
  command -v go > go.log || { echo 'there is no go'; exit 77; }
  cat > main.go
  go mod init finding > go.log 2>&1
  { go get "$@" && go mod tidy; } > go.log 2>&1 || { echo "go cannot get $*"; exit 77; }
  go run .
}

# java_program GROUP ARTIFACT VERSION: runs the class Main on stdin, and writes what it prints to the file out.
java_program() {
  cat > Main.java
  echo "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
    <dependencies><dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>
    </dependencies></project>" > pom.xml
  mvn --quiet dependency:copy-dependencies -DoutputDirectory=lib > mvn.log 2>&1 || { echo "maven cannot install $2"; exit 77; }
  javac -cp 'lib/*' Main.java
  java -cp '.:lib/*' Main > out 2>&1 || { cat out; exit 1; }
}

# node_program: runs the program on stdin, and writes what it prints to the file out.
node_program() {
  { cat; echo 'process.exit()'; } > program.mjs
  node program.mjs > out 2> errors.log || { cat errors.log; exit 1; }
}

# in_browser NAME@VERSION ...: the same in a page with posthog-js and those packages; see browser.mjs for what it can use.
in_browser() {
  npm_packages posthog-js@1.449.2 jsdom@26.1.0 "$@"
  cp "$findings/browser.mjs" .
  { echo "import { asked, events, host, posthog, start, until } from './browser.mjs'"; cat; } > page.mjs
  node_program < page.mjs
}

# flag_server [STATUS]: serves the flags on stdin as flag-server.mjs does. Programs find its address in $host.
flag_server() {
  cat > flags.json
  mkfifo host.pipe
  node "$findings/flag-server.mjs" "$folder" "$@" & server=$!
  trap 'kill $server || true; rm -rf "$folder"' EXIT
  host=$(timeout 20 cat host.pipe) || { echo 'the flag server has not started'; exit 1; }
  export host
}

# Installs the provider generators of cdktf and cdktn into one folder each, and prints what a program writes with each.
# The program gets the library as `lib`, and `bindings`: it takes a block of a schema, generates and compiles the
# resource `x_flag`, and returns the compiler's errors, the source, the folder, and `synth`, which writes resources with it.
with_bindings() {
  cat > program.body
  for engine in cdktf@0.21.0,constructs@10.4.2,@cdktf/provider-generator@0.21.0,jsii@5.8.12,jsii-pacmak@1.112.0 \
    cdktn@0.24.0,constructs@10.6.0,@cdktn/provider-generator@0.24.0; do
    name=${engine%%@*}
    mkdir "$folder/$name" && cd "$folder/$name"
    npm_packages $(echo "$engine" | tr ',' ' ') typescript@5.4.5
    cat > program.cjs <<'PROGRAM'
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs')
const name = process.argv[2]
const lib = require(name)
const ts = require('typescript')
const { CodeMaker, TerraformProviderGenerator } = require(`@${name}/provider-generator`)
const compiled = file => {
  const { ES2020: target } = ts.ScriptTarget
  return ts.createProgram([file], { strict: true, skipLibCheck: true, target, module: ts.ModuleKind.CommonJS, types: [] })
}
const errorsIn = program =>
  ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0])
const bindings = async (block, more = {}) => {
  const resource_schemas = { x_flag: { version: 0, block } }
  const provider = { provider: { version: 0, block: {} }, resource_schemas, ...more }
  const schemas = { format_version: '1.0', provider_schemas: { 'registry.terraform.io/acme/x': provider } }
  const generator = new TerraformProviderGenerator(new CodeMaker(), schemas)
  generator.generateAll()
  const folder = mkdtempSync(`${process.cwd()}/gen-`)
  await generator.save(folder)
  const file = `${folder}/providers/x/flag/index.ts`
  const program = compiled(file)
  program.emit()
  const synth = fill => {
    const app = new lib.App({ outdir: mkdtempSync('out-'), skipValidation: true })
    const stack = new lib.TerraformStack(app, 's')
    const { Flag } = require(file.replace('.ts', '.js'))
    fill((id, config) => new Flag(stack, id, config), stack)
    app.synth()
    const text = readFileSync(`${app.outdir}/stacks/s/cdk.tf.json`, 'utf8')
    return JSON.parse(text, (key, value) => (key === '//' ? undefined : value))
  }
  return { errors: errorsIn(program), synth, folder, source: readFileSync(file, 'utf8') }
}
PROGRAM
    { echo '(async () => {'; cat ../program.body; echo '})()'; } >> program.cjs
    # The generator asks `terraform` for its version, and logs what that says.
    env -u TF_CLI_CONFIG_FILE CHECKPOINT_DISABLE=1 node program.cjs "$name" > "../$name.out" 2> "../$name.err" ||
      { cat "../$name.out" "../$name.err"; exit 1; }
  done
  cd "$folder"
}

# rust_program LINE ...: runs the program of standard input in Rust, with those lines of dependencies in Cargo.toml.
rust_program() {
  command -v cargo > cargo.log || { echo 'there is no cargo'; exit 77; }
  built=${FINDINGS_KEEP:-$PWD}/cargo-target
  cargo init --quiet --vcs none --name finding rust > cargo.log 2>&1
  cat > rust/src/main.rs
  printf '%s\n' "$@" >> rust/Cargo.toml
  cargo fetch --quiet --manifest-path rust/Cargo.toml > cargo.log 2>&1 || { echo "cargo cannot get $*"; exit 77; }
  CARGO_PROFILE_DEV_DEBUG=false cargo build --quiet --manifest-path rust/Cargo.toml --target-dir "$built" 2> cargo.log ||
    { cat cargo.log; exit 1; }
  "$built/debug/finding"
}

# in_postgres NAME@VERSION ...: node_program beside a PostgreSQL 18.4; see postgres.mjs for what it can use.
in_postgres() {
  npm_packages pg@8.23.1 pg-pool@3.14.0 pg-connection-string@2.14.1 pgpass@1.0.5 pg-types@2.2.0 pg-boss@10.4.2 \
    embedded-postgres@18.4.0-beta.17 "$@"
  cp "$findings/postgres.mjs" .
  { echo "import { address, connect, end, port, wait } from './postgres.mjs'"; cat; echo 'await end(); process.exit()'; } > program.mjs
  node program.mjs > out 2> errors.log || { code=$?; cat errors.log; [ $code = 77 ] || code=1; exit $code; }
}

# unleash_clients: a client for JavaScript and one for Python, each with the features of features.json.
unleash_clients() {
  npm_packages unleash-client@6.12.1
  pip_packages UnleashClient==6.9.1
  cat > client.mjs <<'PROGRAM'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { InMemStorageProvider, Unleash } from 'unleash-client'
export const read = file => JSON.parse(readFileSync(file, 'utf8'))
const storage = { storageProvider: new InMemStorageProvider(), bootstrap: { data: read('features.json').features } }
export const client = new Unleash({ appName: 'a', url: 'http://127.0.0.1:1', refreshInterval: 0, disableMetrics: true, ...storage })
client.on('error', () => {})
await once(client, 'ready')
PROGRAM
  cat > client.py <<'PROGRAM'
import json
from UnleashClient import UnleashClient
from UnleashClient.cache import FileCache
cache = FileCache("a", directory="cache")
cache.bootstrap_from_dict(json.load(open("features.json")))
client = UnleashClient("http://127.0.0.1:1", "a", disable_metrics=True, disable_registration=True, cache=cache)
client.initialize_client(fetch_toggles=False)
PROGRAM
}

# unleash_node, unleash_python: run the program on stdin with that client, and write what it prints to the files out and other.
unleash_node() {
  { echo "import { client, read } from './client.mjs'"; cat; } > main.mjs
  node_program < main.mjs
}
unleash_python() {
  { printf 'import json, os\nfrom client import client\n'; cat; printf 'os._exit(0)\n'; } > main.py
  venv/bin/python -u main.py > other 2> errors.log || { cat errors.log; exit 1; }
}
