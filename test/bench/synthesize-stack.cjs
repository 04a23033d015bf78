// Synthesizes a stack of so many flags, as a program of a user's would: `node synthesize-stack.cjs FLAGS.json`.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { App, TerraformStack, TerraformVariable } = require('cdktf')
const { FeatureFlag, VexilProvider } = require(join(__dirname, '../../dist/cdktf'))

const app = new App()
const stack = new TerraformStack(app, 'bench')
new VexilProvider(stack, 'vexil', {})
const team = new TerraformVariable(stack, 'team', { type: 'string', default: 'bench' })
for (const { key, name, active, filters, tags } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const [{ properties, rollout_percentage: rolloutPercentage }] = filters.groups
  new FeatureFlag(stack, key, {
    key,
    name,
    active,
    release: [
      {
        properties: properties.map(({ key, value, operator }) =>
          Array.isArray(value) ? { key, values: value, operator } : { key, value, operator },
        ),
        rolloutPercentage,
      },
    ],
    tags: [tags[0], team.stringValue],
  })
}
app.synth()
