import type { WorldFile } from '../../../src/sandbox/index.ts'
import { anOrganization, organization, support } from '../../support/workspace.ts'

/**
 * A command line for every command, with the arguments that lead it to as much output as there is. A test holds this
 * list against the program: a command that is added has to come here, and so under the laws.
 */
export function commandLines(text: string): readonly (readonly string[])[] {
  return [
    ['init', `made-${text}`],
    ['validate'],
    ['validate', '--json'],
    ['validate', '--show', '*'],
    ['envs'],
    ['envs', '--json'],
    ['compare', 'staging', 'production', '--live'],
    ['promote', '*', '--from', 'staging', '--to', 'production'],
    ['ramp', 'known', '--to', '10', '--dry-run'],
    ['pull', '--dry-run'],
    ['pull', '--json'],
    ['retire', 'known', '--dry-run'],
    ['retire', 'known', '--json', '--dry-run'],
    ['fmt', '--check'],
    ['keys', '--ts'],
    ['keys', '--py', '--out', 'keys/flags.py'],
    ['keys', '--go'],
    ['keys', '--ts', '--stack', 'stacks/shop'],
    ['refs'],
    ['refs', '--json'],
    ['refs', '--unused', '--undeclared'],
    ['refs', '--stack', 'stacks/shop'],
    ['refs', '--json', '--stack', 'stacks/shop', '--in', 'code.ts'],
    ['retire'],
    ['retire', '--json', '--in', '.'],
    ['retire', '--activity'],
    ['plan'],
    ['plan', '--show-unchanged'],
    ['plan', '--json'],
    ['plan', '--out', 'saved.plan.json'],
    ['show', 'saved.plan.json'],
    ['show', '--terraform-plan', 'terraform.plan.json'],
    ['show', '--terraform-plan', 'terraform.plan.json', '--json'],
    ['drift'],
    ['drift', '--json'],
    ['evaluate', '--distinct-id', text, '--property', `a=${text}`],
    ['evaluate', '--json', '--live'],
    ['test'],
    ['test', '--coverage'],
    ['test', '--json', '--min-coverage', '0'],
    ['export'],
    ['export', '--json'],
    ['export', '--format', 'hcl'],
    ['export', '--format', 'ts'],
    ['export', '-d', 'live'],
    ['init', 'taken', '--from-live', '--no-input'],
    ['doctor'],
    ['doctor', '--json'],
    ['call'],
    ['call', 'feature_flag.list'],
    ['call', 'feature_flag.list', '--all'],
    ['call', 'feature_flag.read', 'id=1'],
    ['call', 'feature_flag.activity', 'limit=100'],
    ['call', 'plugin.list'],
    ['call', 'plugin.source', 'id=1'],
    ['call', 'event_definition.list'],
    ['call', 'event.list'],
    ['call', 'event.list', 'format=csv'],
    ['call', 'event.values', 'key=somebody'],
    ['apply', '--auto-approve'],
    ['apply', '--auto-approve', '--json'],
    ['claim', '--auto-approve'],
    ['unclaim', '--auto-approve'],
    ['undo', 'last', '--auto-approve'],
    ['disable', 'known', '--reason', text, '--auto-approve'],
    ['disable', text, '--reason', 'it fails', '--auto-approve', '--json'],
    ['enable', 'known', '--auto-approve'],
    ['history'],
    ['history', '--json'],
    ['history', 'last', '--json'],
    ['unlock'],
    ['schema'],
    ['schema', 'settings'],
    ['schema', '--markdown'],
    ['completion', 'bash'],
    ['complete', 'bash', 'plan', '--target', ''],
    ['complete', 'bash', 'call', ''],
    ['sandbox', 'quirks'],
    ['terraform', 'install', '--directory', 'plugins'],
  ]
}

/**
 * What those command lines read that comes from other programs, with the text wherever there is one; `described` is the
 * text in what describes something.
 */
export function filesOfOthers(text: string, described = text): Readonly<Record<string, string>> {
  const filters = JSON.stringify({
    groups: [
      {
        properties: [{ key: 'email', type: 'person', operator: 'exact', value: [described] }],
        rollout_percentage: 5,
        description: described,
      },
    ],
    payloads: { true: JSON.stringify({ text: described }) },
  })
  const flag = { key: `of ${text}`, name: described, active: true, tags: [text], filters }
  const stack = { resource: { vexil_feature_flag: { shop: flag } } }
  const before = { ...flag, name: `before ${described}`, filters: '{"groups":[{}]}', tags: [] }
  const changed = {
    address: `module.shop["${text}"].vexil_feature_flag.shop`,
    mode: 'managed',
    type: 'vexil_feature_flag',
    name: 'shop',
    change: {
      actions: ['update'],
      before,
      after: flag,
      after_unknown: {},
      before_sensitive: {},
      after_sensitive: {},
    },
  }
  const plan = {
    format_version: '1.2',
    terraform_version: '1.13.3',
    planned_values: { root_module: {} },
    configuration: { root_module: {} },
    resource_changes: [changed],
    resource_drift: [{ ...changed, change: { ...changed.change, before: flag, after: before } }],
    checks: [
      {
        instances: [
          { status: 'fail', address: { to_display: `check.${text}` }, problems: [{ message: described }] },
        ],
      },
    ],
  }
  return {
    'stacks/shop/cdk.tf.json': JSON.stringify(stack),
    'terraform.plan.json': JSON.stringify(plan),
    'code.ts': `isFeatureEnabled(${JSON.stringify(flag.key)})\n`,
  }
}

/** Declarations that differ from that world. */
export const declaredBeside = {
  'vexil.yaml': 'version: 1\nownership: { tag: ours, prune: owned }\n',
  'flags.yaml': `feature_flags:
  known: { name: Ours, tags: [], filters: { groups: [ { rollout_percentage: 5 } ] }, role_access: [] }
  described: { active: false }
  fresh: { active: false, filters: {} }
`,
}

/** A world in which each text of somebody holds the text. */
export function worldOfOthers(text: string): WorldFile {
  const person = { key: `k ${text}`, value: [text], type: 'person', operator: 'exact' }
  const filters = {
    groups: [{ properties: [person], rollout_percentage: 10, variant: null, description: text }],
    payloads: { true: JSON.stringify({ text }) },
  }
  return anOrganization({
    id: organization,
    name: `Org ${text}`,
    roles: [{ id: support, name: `role ${text}` }],
    plugins: [
      { name: `plugin ${text}`, plugin_type: 'source', source: { 'index.ts': text }, description: text },
    ],
    projects: [
      { id: 2, name: 'Project 2', feature_flags: [{ key: 'known', name: `other ${text}`, filters }] },
      {
        id: 1,
        name: `Project ${text}`,
        event_definitions: [{ name: `event ${text}`, tags: ['ours', text] }],
        persons: [{ distinct_ids: [text], properties: { email: text } }],
        events: [{ event: `event ${text}`, distinct_id: text, properties: { somebody: text } }],
        feature_flags: [
          { key: 'known', name: text, tags: [text], filters, role_access: [`role ${text}`] },
          { key: 'described', name: text, tags: [], filters: {} },
          { key: `ours ${text}`, name: 'Nobody declared it', tags: ['ours'], filters },
        ],
      },
    ],
  })
}

/** Commands that stay until they are told to go, or that make a place of their own, with the reason. */
export const apart: readonly string[] = [
  // They print the key of the stand-in, which opens nothing else, so that it can be exported.
  'sandbox',
  'dev',
  // Works in a folder and with a stand-in of its own.
  'demo',
  // Needs a database, and runs until somebody stops it.
  'reconcile',
]

/** The same with the text in place of every argument and every option that takes a value. */
export function hostileLines(
  text: string,
  commands: readonly {
    readonly name: string
    readonly arguments: number
    readonly options: readonly string[]
  }[],
): readonly (readonly string[])[] {
  return [
    [text],
    [`--${text}`],
    ...commands.flatMap(({ name, arguments: count, options }) => [
      [...name.split(' '), ...Array.from({ length: count }, () => text)],
      [...name.split(' '), text, text, text],
      [...name.split(' '), `--${text}`],
      ...options.map(option => [...name.split(' '), option, text]),
      ...options.map(option => [...name.split(' '), `${option}=${text}`]),
    ]),
  ]
}
