import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What stands in every value that redaction hides; nothing else in a test has it. */
export const canary = 'canary'

/** All that redaction can hide. */
export const allParts = 'payloads,descriptions,values'

/** Declarations of every kind in which each payload, description and value of a condition is a canary of `side`. */
export function canaryFiles(side: string, settings = ''): Record<string, string> {
  const at = (place: string) => `${canary}-${side}-${place}`
  return {
    'vexil.yaml': `version: 1
roles: { support: 01900000-0000-0000-0000-0000000000aa }
${settings}`,
    'flags.yaml': `feature_flags:
  checkout:
    name: ${at('name')}
    active: true
    filters:
      groups:
        - properties: [ { key: email, type: person, operator: exact, value: [${at('email-1')}, ${at('email-2')}] } ]
          rollout_percentage: 10
          description: ${at('condition')}
        - properties: [ { key: plan, type: person, operator: icontains, value: ${at('plan')} } ]
          rollout_percentage: 20
      multivariate: { variants: [ { key: control, rollout_percentage: 50, name: ${at('variant')} }, { key: test, rollout_percentage: 50 } ] }
      payloads: { control: '{"text":"${at('payload-1')}"}', test: '"${at('payload-2')}"' }
    role_access: [support]
  banner:
    name: ${at('banner')}
    active: true
    filters: { groups: [ { rollout_percentage: 100 } ], payloads: { "true": '{"deep":["${at('payload-3')}"]}' } }
plugins:
  geoip:
    plugin_type: source
    description: ${at('plugin')}
    config_schema: [ { key: token, name: ${at('config')}, type: string } ]
    source: { index.ts: "export const it = '${at('source')}'", plugin.json: '{"name":"geoip","description":"${at('manifest')}"}' }
`,
  }
}

/** How many canaries of `side` those declarations hold. */
export function countCanaries(text: string): number {
  return text.split(canary).length - 1
}

/** Every file below a folder that has a canary in it, by its path from there. */
export async function filesWithCanary(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files.map(async file =>
      (await readFile(file, 'utf8')).includes(canary) ? [file.slice(folder.length + 1)] : [],
    ),
  )
  return found.flat().sort()
}
