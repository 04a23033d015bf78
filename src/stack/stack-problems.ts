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

/** The place of a construct in the file. */
export type SourceOf = (constructPath: string | undefined) => Source | undefined

/** The subject of a problem: an address, a field of it, and its construct. */
export interface Subject {
  readonly address: string
  readonly path?: string | undefined
  /** Its place, if that is in the file of a module. */
  readonly source?: Source | undefined
  /** The common part of all instances of a block in a module: its address without their keys. */
  readonly origin?: string | undefined
}

/** A block or one of its objects, by its full address. */
export function subjectOf(address: string, { path, source, origin }: Omit<Subject, 'address'>): Subject {
  return { address, path, source, origin }
}

type Found = Pick<Problem, 'code' | 'message' | 'hint' | 'conditional'> & {
  readonly severity?: Problem['severity']
}

/** The problems found, each once: the instances of one resource usually share their problems. */
export class StackProblems {
  readonly #sourceOf: SourceOf
  readonly #whole: Source | undefined
  readonly #problems = new Map<string, Problem>()

  /** `whole` is the place of problems without a construct. */
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

  /** Removes problems that are reported in other words. */
  withdraw(isReported: (problem: Problem) => boolean): void {
    for (const [key, problem] of this.#problems) if (isReported(problem)) this.#problems.delete(key)
  }

  /** The problem as it would be recorded. */
  problemAt(place: Subject, { severity = 'error', ...problem }: Found): Problem {
    const source = this.sourceOf(place)
    if (source !== undefined) return { severity, ...problem, source }
    return this.#whole === undefined
      ? { severity, ...problem }
      : { severity, ...problem, source: this.#whole, isOfWholeFile: true }
  }

  /** The place for a person. */
  sourceOf({ path, source }: Omit<Subject, 'address'>): Source | undefined {
    return source ?? this.#sourceOf(path)
  }

  /** Runs some work for a field; a refusal is recorded, and then there is no result. */
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
    // The consequence of another refusal adds nothing new.
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

/** A field by its address: `vexil_feature_flag.checkout.release[0]`. */
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
      unsupported(`Vexil reads no ${name} block`, remedy),
      this.#at(member),
    )
  }

  /** A member that would not be read as a block at all. */
  notBody({ json, names, message }: ReturnType<typeof notBodiesIn>[number]): void {
    const remedy = 'synthesize the stack again, or mend what adds it (addOverride)'
    this.#refuse(names.join('.'), invalid(message, remedy), this.#at(json))
  }

  /** Our member of a comment that constructs write, where it is not read: `"//": { "vexil": ... }`. */
  comment(address: string, raw: Body, known: readonly string[]): void {
    const { vexil = null } = blockMembers(raw['//'])
    if (vexil === null) return
    const isObject = isExactObject(vexil) && !Array.isArray(vexil)
    const strange = isObject ? Object.keys(vexil).find(name => !known.includes(name)) : undefined
    if (isObject && strange === undefined) return
    const comment = 'the member "vexil" of its comment "//"'
    const wrong =
      strange === undefined
        ? `${comment} has to be an object, and this is ${nounOf(vexil)}`
        : `${comment} names ${JSON.stringify(strange)}, which is not read there`
    const remedy = 'synthesize it again with the vexil that plans it'
    this.#refuse(address, invalid(wrong, remedy), this.#at(raw))
  }

  /** Members of a block `terraform` that engines do not know. */
  terraform(bodies: readonly Body[]): void {
    for (const body of bodies)
      this.#problems.attempt({ ...this.#at(body), address: `${this.#of.prefix}terraform` }, '', () =>
        requireMembers(body, ofTerraform),
      )
  }

  /** Provider blocks under another name than ours would be ignored, with the target that they configure. */
  providers(terraform: readonly Body[], blocks: readonly Body[], localName: string): void {
    for (const name of ourNamesIn(terraform))
      if (name !== localName)
        this.#refuse(
          `terraform.required_providers.${name}`,
          invalid(`it is called "${localName}" as well`, 'take one of the two out'),
        )
    if (localName !== usualLocalName && blocks.some(each => usualLocalName in each))
      this.#refuse(
        `provider.${usualLocalName}`,
        invalid(`required_providers calls ${providerName} "${localName}"`, `write "${localName}" here too`),
      )
  }

  /** A remote state belongs to Terraform, which would not see changes made without it. */
  backend(terraform: readonly Body[]): void {
    const backends = terraform.flatMap(each => [
      ...bodiesIn(each.backend).flatMap(Object.keys),
      ...('cloud' in each ? ['cloud'] : []),
    ])
    for (const backend of backends.filter(name => name !== 'local'))
      this.#refuse(
        backend === 'cloud' ? 'terraform.cloud' : `terraform.backend.${backend}`,
        unsupported(
          'the state of this stack is kept elsewhere, so it is run by Terraform',
          'take the backend out, since Vexil keeps no state; or run this stack with Terraform',
        ),
      )
  }

  /** The problems of a block that show without evaluation. */
  block(block: Block): void {
    const { is, name, body, address } = block
    this.#problems.attempt(subjectOf(`${this.#of.prefix}${address}`, block), '', () => {
      if (!isName(name) && is !== 'provider')
        throw invalid(
          `${JSON.stringify(name)} is no name`,
          'take letters, digits, _ and -, and begin with a letter or _',
        )
      if (is === 'variable' && ofCalls.has(name))
        throw invalid(`no variable may be called "${name}"`, 'a call of a module means something else by it')
      if (is === 'check' && body.data !== undefined)
        throw unsupported('a data source within a check', 'declare it in the stack itself')
      const known = members[is]
      if (known) requireMembers(body, known)
      if (is === 'check' && bodiesIn(body.assert).length === 0)
        throw invalid('it has no assert', 'write at least one')
    })
  }

  foreign(block: Block): void {
    const noun = block.is === 'data' ? 'data source' : 'resource'
    const remedy = 'put it into a stack of its own, or run this stack with Terraform'
    this.#refuse(block.address, unsupported(`${block.type} is a ${noun} of another provider`, remedy), block)
  }

  #refuse(name: string, refusal: Refusal, at: Omit<Subject, 'address'> = {}): void {
    this.#problems.refuse(subjectOf(`${this.#of.prefix}${name}`, at), '', refusal)
  }

  #at(json: ExactJson): Omit<Subject, 'address'> {
    return { source: this.#of.sourceOf?.(json) }
  }
}

/** The members of a block `terraform`; OpenTofu knows the last one. */
const ofTerraform =
  'required_version required_providers backend cloud provider_meta experiments language encryption'.split(' ')

/** The members of a module call besides the module's variables. */
const ofCalls: ReadonlySet<string> = new Set(
  'source version providers count for_each lifecycle depends_on locals'.split(' '),
)

/** The members of blocks without a schema. */
const members: { readonly [is in Block['is']]?: readonly string[] } = {
  variable: 'type default description sensitive nullable validation ephemeral deprecated'.split(' '),
  output: 'value description sensitive precondition depends_on ephemeral deprecated'.split(' '),
  check: ['assert', 'data'],
}
