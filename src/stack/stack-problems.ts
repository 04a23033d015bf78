import { type ExactJson, invalid, isExactObject, isName, Refusal, unsupported } from '../hcl/index.ts'
import type { Problem, Source } from '../model/problem.ts'
import { nounOf } from '../model/text/json-shape.ts'
import { providerName, usualLocalName } from '../schema/terraform/terraform-names.ts'
import {
  type Block,
  type Body,
  blockMembers,
  bodiesIn,
  type FileOf,
  type notBodiesIn,
  ourNamesIn,
  requireMembers,
} from './stack-file.ts'

/** The position of a construct in the file. */
export type SourceOf = (constructPath: string | undefined) => Source | undefined

/** The subject of a problem: an address, a field of it, and its construct. */
export interface Subject {
  readonly address: string
  readonly path?: string | undefined
  /** Its position, if that is in the file of a module. */
  readonly source?: Source | undefined
  /** The address without instance keys, which all instances of a block in a module share. */
  readonly origin?: string | undefined
}

/** A block or one of its objects, by its full address. */
export function subjectOf(address: string, { path, source, origin }: Omit<Subject, 'address'>): Subject {
  return { address, path, source, origin }
}

type Found = Pick<Problem, 'code' | 'message' | 'hint' | 'conditional'> & {
  readonly severity?: Problem['severity']
}

/** The problems, each once: the instances of one resource usually have the same problems. */
export class StackProblems {
  readonly #sourceOf: SourceOf
  readonly #whole: Source | undefined
  readonly #problems = new Map<string, Problem>()

  /** `whole` is the position of problems without a construct. */
  constructor(sourceOf: SourceOf, whole?: Source) {
    this.#sourceOf = sourceOf
    this.#whole = whole
  }

  get all(): readonly Problem[] {
    return [...this.#problems.values()]
  }

  add(place: Subject, problem: Found): void {
    this.#note(place, problem, `${place.path ?? ''} ${problem.message}`)
  }

  /** Removes problems that are reported elsewhere. */
  withdraw(isReported: (problem: Problem) => boolean): void {
    for (const [key, problem] of this.#problems) if (isReported(problem)) this.#problems.delete(key)
  }

  /** The problem, without recording it. */
  problemAt(place: Subject, { severity = 'error', ...problem }: Found): Problem {
    const source = this.sourceOf(place)
    if (source !== undefined) return { severity, ...problem, source }
    return this.#whole === undefined
      ? { severity, ...problem }
      : { severity, ...problem, source: this.#whole, isOfWholeFile: true }
  }

  sourceOf({ path, source }: Omit<Subject, 'address'>): Source | undefined {
    return source ?? this.#sourceOf(path)
  }

  /** Runs a function for a field. Records a refusal; then there is no result. */
  attempt<Result>(place: Subject, field: string, work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.refuse(place, field, error)
      return undefined
    }
  }

  refuse(place: Subject, field: string, { is, message, remedy }: Refusal): void {
    // The consequence of another refusal gives no new information.
    if (is === 'consequence') return
    const where = fieldOf(place.address, field)
    const code = is === 'unsupported' ? 'stack-unsupported' : 'stack-invalid'
    const hint = remedy === undefined ? {} : { hint: remedy }
    // The first instance of a resource represents all of them.
    this.#note(
      place,
      { code, message: `${where}: ${message}`, ...hint },
      `${place.path ?? place.origin ?? place.address} ${field} ${message}`,
    )
  }

  #note(place: Subject, problem: Found, key: string): void {
    if (!this.#problems.has(key)) this.#problems.set(key, this.problemAt(place, problem))
  }
}

/** The address of a field: `vexil_feature_flag.checkout.release[0]`. */
export function fieldOf(address: string, field: string): string {
  return field === '' || field.startsWith('[') ? `${address}${field}` : `${address}.${field}`
}

/** Refuses the parts of a configuration that Vexil does not support, by their full addresses. */
export class Refusals {
  readonly #problems: StackProblems
  readonly #of: FileOf

  constructor(problems: StackProblems, of: FileOf) {
    this.#problems = problems
    this.#of = of
  }

  topLevel(name: string, member: ExactJson): void {
    const names = Object.keys(blockMembers(member))
    const remedy = 'declare its flags in this stack itself, or run this stack with Terraform'
    this.#refuse(
      [name, ...names.slice(0, 1)].join('.'),
      unsupported(`Vexil does not support ${name} blocks`, remedy),
      this.#at(member),
    )
  }

  notBody({ json, names, message }: ReturnType<typeof notBodiesIn>[number]): void {
    const remedy = 'synthesize the stack again, or correct the code that adds it (addOverride)'
    this.#refuse(names.join('.'), invalid(message, remedy), this.#at(json))
  }

  /** An unknown member in a comment that constructs write: `"//": { "vexil": ... }`. */
  comment(address: string, raw: Body, known: readonly string[]): void {
    const { vexil = null } = blockMembers(raw['//'])
    if (vexil === null) return
    const isObject = isExactObject(vexil) && !Array.isArray(vexil)
    const strange = isObject ? Object.keys(vexil).find(name => !known.includes(name)) : undefined
    if (isObject && strange === undefined) return
    const comment = 'the member "vexil" of its comment "//"'
    const wrong =
      strange === undefined
        ? `${comment} must be an object, not ${nounOf(vexil)}`
        : `${comment} has the unknown member ${JSON.stringify(strange)}`
    const remedy = 'synthesize it again with the installed version of vexil'
    this.#refuse(address, invalid(wrong, remedy), this.#at(raw))
  }

  /** Members of a `terraform` block that engines do not know. */
  terraform(bodies: readonly Body[]): void {
    for (const body of bodies)
      this.#problems.attempt({ ...this.#at(body), address: `${this.#of.prefix}terraform` }, '', () =>
        requireMembers(body, ofTerraform),
      )
  }

  /** Provider blocks with another local name would be ignored, including the target that they configure. */
  providers(terraform: readonly Body[], blocks: readonly Body[], localName: string): void {
    for (const name of ourNamesIn(terraform))
      if (name !== localName)
        this.#refuse(
          `terraform.required_providers.${name}`,
          invalid(`its local name is also "${localName}"`, 'remove one of the two'),
        )
    if (localName !== usualLocalName && blocks.some(each => usualLocalName in each))
      this.#refuse(
        `provider.${usualLocalName}`,
        invalid(
          `the local name of ${providerName} in required_providers is "${localName}"`,
          `write "${localName}" here too`,
        ),
      )
  }

  /** A remote state belongs to Terraform, which would not notice changes made without it. */
  backend(terraform: readonly Body[]): void {
    const backends = terraform.flatMap(each => [
      ...bodiesIn(each.backend).flatMap(Object.keys),
      ...('cloud' in each ? ['cloud'] : []),
    ])
    for (const backend of backends.filter(name => name !== 'local'))
      this.#refuse(
        backend === 'cloud' ? 'terraform.cloud' : `terraform.backend.${backend}`,
        unsupported(
          'the state of this stack is stored in a backend, so Terraform has to run the stack',
          'remove the backend, since Vexil keeps no state; or run this stack with Terraform',
        ),
      )
  }

  /** The problems of a block that do not need evaluation. */
  block(block: Block): void {
    const { is, name, body, address } = block
    this.#problems.attempt(subjectOf(`${this.#of.prefix}${address}`, block), '', () => {
      if (!isName(name) && is !== 'provider')
        throw invalid(
          `${JSON.stringify(name)} is not a valid name`,
          'use letters, digits, _ and -, and start with a letter or _',
        )
      if (is === 'variable' && ofCalls.has(name))
        throw invalid(
          `a variable cannot have the name "${name}"`,
          'use another name: the call of a module uses this name for something else',
        )
      if (is === 'check' && body.data !== undefined)
        throw unsupported(
          'Vexil does not support a data source within a check',
          'declare it outside the check',
        )
      const known = members[is]
      if (known) requireMembers(body, known)
      if (is === 'check' && bodiesIn(body.assert).length === 0)
        throw invalid('assert is missing', 'write at least one assert block')
    })
  }

  foreign(block: Block): void {
    const noun = block.is === 'data' ? 'data source' : 'resource'
    const remedy = 'move it to its own stack, or run this stack with Terraform'
    this.#refuse(block.address, unsupported(`${block.type} is a ${noun} of another provider`, remedy), block)
  }

  #refuse(name: string, refusal: Refusal, at: Omit<Subject, 'address'> = {}): void {
    this.#problems.refuse(subjectOf(`${this.#of.prefix}${name}`, at), '', refusal)
  }

  #at(json: ExactJson): Omit<Subject, 'address'> {
    return { source: this.#of.sourceOf?.(json) }
  }
}

/** The members of a `terraform` block; only OpenTofu knows the last one. */
const ofTerraform =
  'required_version required_providers backend cloud provider_meta experiments language encryption'.split(' ')

/** The members of a module call, besides the module's variables. */
const ofCalls: ReadonlySet<string> = new Set(
  'source version providers count for_each lifecycle depends_on locals'.split(' '),
)

/** The members of blocks without a schema. */
const members: { readonly [is in Block['is']]?: readonly string[] } = {
  variable: 'type default description sensitive nullable validation ephemeral deprecated'.split(' '),
  output: 'value description sensitive precondition depends_on ephemeral deprecated'.split(' '),
  check: ['assert', 'data'],
}
