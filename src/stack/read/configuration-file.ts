import {
  type Engine,
  type ExactJson,
  invalid,
  isExactObject,
  isListValue,
  parseExactJson,
} from '../../hcl/index.ts'
import { withWholeCharacters } from '../../hcl/strict-json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'

/** The blocks of a configuration, and how many labels each has. */
export const blockLabels: ReadonlyMap<string, number> = new Map([
  ['terraform', 0],
  ['provider', 1],
  ['variable', 1],
  ['locals', 0],
  ['data', 2],
  ['resource', 2],
  ['module', 1],
  ['output', 1],
  ['check', 1],
  ['import', 0],
  ['moved', 0],
  ['removed', 0],
])

/** The engine that wrote a lock file: each looks for providers in a registry of its own. */
export function engineOfLocks(locks: string): Engine | undefined {
  if (/^provider "registry\.opentofu\.org\//m.test(locks)) return 'OpenTofu'
  return /^provider "registry\.terraform\.io\//m.test(locks) ? 'Terraform' : undefined
}

/**
 * The names of what an engine reads as configuration in a folder; editors leave hidden files and copies behind. OpenTofu reads
 * `main.tofu` in place of `main.tf`, and Terraform knows none of its files. Where the engine is not known, all are listed.
 */
export function configurationNames(names: readonly string[], engine: Engine | undefined): readonly string[] {
  return names.filter(name => {
    if (!/\.(tf|tofu)(\.json)?$/.test(name) || /^\.|~$|^#.*#$/.test(name)) return false
    if (isOfOpenTofu(name)) return engine !== 'Terraform'
    return engine !== 'OpenTofu' || !names.includes(name.replace(/\.tf(?=$|\.json$)/, '.tofu'))
  })
}

/** Whether OpenTofu alone reads it. */
export function isOfOpenTofu(name: string): boolean {
  return /\.tofu(\.json)?$/.test(name)
}

/** Blocks inside of others of which there may be several. */
const nested: ReadonlySet<string> = new Set(['precondition', 'postcondition', 'validation', 'assert'])

/**
 * A configuration in JSON as engines read it: a block may stand twice, in one object or in a list of objects at the top, and
 * nothing else may. Throws a SyntaxError for what is no JSON, and a refusal for any other member that stands twice.
 */
export function parseConfiguration(text: string): ExactJson {
  const json = parseExactJson(withMarks(text))
  const bodies = isListValue(json) ? json : [json]
  if (!bodies.every(isExactObject)) return json
  const whole: Record<string, ExactJson> = {}
  for (const [name, member] of bodies.flatMap(body => Object.entries(body))) {
    const plain = withoutMark(name)
    add(whole, plain, blockOf(member, blockLabels.get(plain) ?? 0))
  }
  return whole
}

function blockOf(json: ExactJson, labels: number): ExactJson {
  if (isListValue(json)) return json.map(each => blockOf(each, labels))
  if (!isExactObject(json)) return json
  const members: Record<string, ExactJson> = {}
  for (const [name, member] of Object.entries(json)) {
    const plain = withoutMark(name)
    const mayRepeat = labels > 0 || nested.has(plain) || plain === '//'
    if (name !== plain && !mayRepeat)
      throw invalid(`${JSON.stringify(plain)} stands twice in one object`, 'keep one of them')
    // Inside of a block, what is deeper repeats nothing but its own blocks.
    add(members, plain, blockOf(member, Math.max(0, labels - 1)))
  }
  return members
}

function add(members: Record<string, ExactJson>, name: string, member: ExactJson): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  const value =
    before === undefined || name === '//'
      ? member
      : [...(isListValue(before) ? before : [before]), ...(isListValue(member) ? member : [member])]
  Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true })
}

/** No reader of JSON keeps what a name means the second time, so each time but the first has another name. */
function withMarks(text: string): string {
  const open: (Map<string, number> | undefined)[] = []
  return text.replace(
    /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|[{}[\]]/gs,
    (token, written?: string, colon?: string) => {
      if (token === '{' || token === '[') open.push(token === '{' ? new Map() : undefined)
      else if (written === undefined) open.pop()
      if (written === undefined || colon === undefined) return token
      const [names, name] = [open.at(-1), readJsonIfAny(withWholeCharacters(written))]
      if (names === undefined || typeof name !== 'string') return token
      const count = names.get(name) ?? 0
      names.set(name, count + 1)
      return count === 0 ? token : `${written.slice(0, -1)}\\u0000${count}"`
    },
  )
}

function withoutMark(name: string): string {
  return name.replace(/\0\d+$/, '')
}
