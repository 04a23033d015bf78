#!/bin/sh
# cdktf 0.21.0 and cdktn 0.24.0: addOverride with a list is appended to a list that the construct has itself, and replaces
# a list of an earlier override. So does an override of the stack.
. "$(dirname "$0")/lib.sh"
with_constructs <<'PROGRAM'
class Tagged extends lib.TerraformResource {
  synthesizeAttributes() {
    return { tags: ['own'] }
  }
}
const tags = fill =>
  synth(s => fill(new Tagged(s, 'r', { terraformResourceType: 'null_resource' }), s)).resource.null_resource.r.tags.join()
console.log(
  tags(r => r.addOverride('tags', ['new'])),
  tags((_, s) => s.addOverride('resource.null_resource.r.tags', ['new'])),
  resource(r => {
    r.addOverride('tags', ['first'])
    r.addOverride('tags', ['second'])
  }).tags.join(),
)
PROGRAM
for engine in cdktf cdktn; do seen "$engine" 'own,new own,new second' "$(cat $engine.out)"; done
