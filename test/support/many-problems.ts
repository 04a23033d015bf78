/**
 * Repositories with as many problems of one kind as wanted: whatever a file can hold without end, beside whatever it is
 * compared with.
 */
export interface ManyProblems {
  readonly title: string
  files(count: number): Readonly<Record<string, string>>
  /** What `vexil validate --env production` counts in the end. */
  found(count: number): string
}

const place =
  'base_url: "http://127.0.0.1:9", project: "1", organization: 01900000-0000-0000-0000-000000000001'
const settings = `version: 1\nenvironments:\n  production: { ${place} }\n`
const role = '01900000-0000-0000-0000-0000000000aa'

export const manyProblems: readonly ManyProblems[] = [
  {
    title: 'flags with a warning each',
    files: count => declaring(times(count, at => flag(`"key with blanks ${at}"`))),
    found: warnings,
  },
  {
    title: 'unknown keys in the settings',
    files: count => ({ ...declaring(flag('checkout')), 'vexil.yaml': settings + times(count, unknown('')) }),
    found: errors,
  },
  {
    title: 'unknown keys of an environment',
    files: count => ({
      ...declaring(flag('checkout')),
      'vexil.yaml': `version: 1\nenvironments:\n  production:\n${times(count, unknown('    '))}`,
    }),
    found: errors,
  },
  {
    title: 'unknown sections',
    files: count => declaring(flag('checkout') + times(count, unknown(''))),
    found: errors,
  },
  {
    title: 'unknown keys of one flag',
    files: count => declaring(flag('checkout', times(count, unknown('    ')))),
    found: errors,
  },
  {
    title: 'unknown keys in filters',
    files: count =>
      declaring(`  checkout:\n    active: false\n    filters:\n${times(count, unknown('      '))}`),
    found: warnings,
  },
  {
    title: 'flags with an unknown key each',
    files: count => declaring(times(count, at => flag(`flag_${at}`, '    actve: true\n'))),
    found: errors,
  },
  {
    title: 'keys that stand twice',
    files: count => declaring(times(count + 1, () => '  checkout: { active: false }\n')),
    found: firstHundred,
  },
  {
    title: 'flags that are declared twice',
    files: count => {
      const flags = times(count, at => flag(`flag_${at}`))
      return { ...declaring(flags), 'more.yaml': `feature_flags:\n${flags}` }
    },
    found: errors,
  },
  {
    title: 'flags with an unknown environment each',
    files: count =>
      declaring(
        times(count, at => flag(`flag_${at}`, `    environments: { prodution_${at}: { active: false } }\n`)),
      ),
    found: errors,
  },
  {
    title: 'unknown environments of one flag, on one line',
    files: count => declaring(flag('checkout', `    only: [${times(count, at => `prodution_${at}, `)}]\n`)),
    found: errors,
  },
  {
    title: 'unknown environments beside as many known ones',
    files: count => ({
      ...declaring(flag('checkout', `    only: [${times(count, at => `prodution_${at}, `)}]\n`)),
      'vexil.yaml': `${settings}${times(count, at => `  production_${at}: { ${place} }\n`)}`,
    }),
    found: errors,
  },
  {
    title: 'unknown roles beside as many known ones',
    files: count => ({
      ...declaring(times(count, at => flag(`flag_${at}`, `    role_access: [suport_${at}]\n`))),
      'vexil.yaml': `${settings}roles:\n${times(count, at => `  support_${at}: ${role}\n`)}`,
    }),
    found: errors,
  },
  {
    title: 'unknown anchors beside as many known ones',
    files: count =>
      declaring(
        times(count, at => `  known_${at}: &anchor_${at} { active: false }\n  flag_${at}: *achor_${at}\n`),
      ),
    found: firstHundred,
  },
  {
    title: 'problems behind one anchor that is given again and again',
    files: count =>
      declaring(times(count, at => `  known_${at}: &one { active: 1, filters: {} }\n  flag_${at}: *one\n`)),
    found: count => errors(2 * count),
  },
  {
    title: 'unset variables',
    files: count =>
      declaring(times(count, at => flag(`flag_${at}`, `    tags: ["\${env:NOT_SET_${at}}"]\n`))),
    found: errors,
  },
  {
    title: 'wrong conditions of one flag',
    files: count =>
      declaring(
        `  checkout:\n    active: false\n    filters:\n      groups:\n${times(count, at => `        - { properties: [{ key: k${at}, value: v, type: person, operator: exat }] }\n`)}`,
      ),
    found: warnings,
  },
  {
    title: 'unknown variants beside as many known ones',
    files: count =>
      declaring(
        `  checkout:\n    active: false\n    filters:\n      multivariate:\n        variants:\n${times(count, at => `          - { key: known_${at}, rollout_percentage: ${100 / count} }\n`)}      groups:\n${times(count, at => `        - { variant: unknown_${at}, properties: [{ key: k${at}, value: v, type: person }] }\n`)}`,
      ),
    found: warnings,
  },
  {
    title: 'properties of one condition that are all about one thing',
    files: count =>
      declaring(
        `  checkout:\n    active: false\n    filters:\n      groups:\n        - properties:\n${times(count, at => `            - { key: country, value: [DE, c${at}], type: person, operator: exact, mistake: 1 }\n`)}        - properties: []\n`,
      ),
    found: warnings,
  },
  {
    title: 'unknown fields that are ignored',
    files: count => declaring(flag('checkout', `    ignore: [${times(count, at => `actve_${at}, `)}]\n`)),
    found: errors,
  },
  {
    title: 'labels that are too long',
    files: count =>
      declaring(flag('checkout', `    tags: [${times(count, at => `${'long'.repeat(70)}${at}, `)}]\n`)),
    found: errors,
  },
]

function declaring(flags: string): Record<string, string> {
  return { 'vexil.yaml': settings, 'flags.yaml': `feature_flags:\n${flags}` }
}

function flag(key: string, more = ''): string {
  return `  ${key}:\n    active: false\n    filters: { groups: [ { rollout_percentage: 10 } ] }\n${more}`
}

function unknown(indent: string): (at: number) => string {
  return at => `${indent}unknown_key_${at}: 1\n`
}

function times(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('')
}

function errors(count: number): string {
  return `${count} errors`
}

function warnings(count: number): string {
  return `${count} warnings`
}

/** What is not even a value is reported a hundred times in a file. */
function firstHundred(): string {
  return errors(100)
}
