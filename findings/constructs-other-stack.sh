#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: a provider of another stack is written as its name alone, so that a stack with a provider
# of that name uses its own. dependsOn of a resource in another stack becomes an address inside a remote state, and the
# whole resource an output of the other stack; Terraform refuses such an address.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
class Provider extends lib.TerraformProvider {
  constructor(scope, region) {
    super(scope, 'p', { terraformResourceType: 'null' })
    this.region = region
  }
  synthesizeAttributes() {
    return { region: this.region }
  }
}
const app = new lib.App({ outdir: mkdtempSync('out-') })
const [first, second] = ['first', 'second'].map(id => new lib.TerraformStack(app, id))
const [theirs] = [new Provider(first, 'theirs'), new Provider(second, 'own')]
const other = new lib.TerraformResource(first, 'other', { terraformResourceType: 'null_resource' })
new lib.TerraformResource(second, 'r', { terraformResourceType: 'null_resource', provider: theirs, dependsOn: [other] })
app.synth()
const [one, two] = ['first', 'second'].map(id => JSON.parse(readFileSync(`${app.outdir}/stacks/${id}/cdk.tf.json`, 'utf8')))
const { provider, depends_on } = two.resource.null_resource.r
console.log(provider, two.provider.null[0].region)
console.log(depends_on.join(), Object.values(one.output)[0].value)
PROGRAM
state=data.terraform_remote_state.cross-stack-reference-input-first.outputs.cross-stack-output-null_resourceother
for engine in cdktf cdktn; do
  seen "$engine" "null own $state \${null_resource.other}" "$(tr '\n' ' ' < $engine.out | sed 's/ $//')"
done
