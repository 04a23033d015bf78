# For each finding: a temporary folder, pinned packages, and a comparison with what was seen.
# A finding ends in 0 if it still holds, in 1 if the behaviour has changed, in 77 if it cannot run here.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# npm_packages NAME@VERSION ...
npm_packages() {
  npm init -y > /dev/null
  npm install --silent --no-audit --no-fund "$@" > npm.log 2>&1 || { echo "npm cannot install $*"; exit 77; }
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
