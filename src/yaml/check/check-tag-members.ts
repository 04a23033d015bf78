import { pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { isDay, type TagMember, tagMemberNames, tagMembers } from '../../model/tag-member.ts'
import { checkTagMember, conflictsOfTags } from '../../rules/check-tag-member.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import { quote } from '../parse/quote.ts'
import { effectiveIn } from '../resolve/effective.ts'
import { redact } from '../resolve/interpolate.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { isWrittenAsNothing } from './check-blanks.ts'
import { reporter, shownProblem, toldAt } from './check-declaration.ts'

/** What is wrong with members that stand for tags. Null says that there is none; nothing at all is a slip. */
export function checkTagMembers(declaration: ObjectDeclaration): Problem[] {
  const { kind, base, environments } = declaration
  if (kind.lifecycle.ownedBy === undefined) return []
  if (environments.size === 0 && !saysTagMember(base)) return []
  const layers = [base, ...environments.values()]
  return once(
    layers.flatMap(layer => tagMemberNames.flatMap(member => checkMember(declaration, layer, member))),
  )
}

function saysTagMember({ members }: Layer): boolean {
  return tagMemberNames.some(member => members[member] !== undefined)
}

function checkMember(declaration: ObjectDeclaration, layer: Layer, member: TagMember): Problem[] {
  const { kind, file } = declaration
  const value = layer.members[member]
  if (value === undefined) return []
  const report = reporter(declaration)
  const pointer = layer.pointer + pointerOf(member)
  if (value === null) {
    if (!isWrittenAsNothing(file.parsed, pointer)) return []
    const hint = 'fill it in, or write null to say that there is none'
    return [report(pointer, { code: 'empty-value', message: `${quote(member)} is empty`, hint })]
  }
  return checkTagMember(kind, member, value).flatMap(problem => {
    const told = toldAt(declaration, problem, pointer)
    if (!told) return []
    return [problem.rule === 'characters' ? report(pointer, shownProblem(file, problem, pointer)) : told]
  })
}

/** What is shared by environments is told once. */
function once(problems: Problem[]): Problem[] {
  if (problems.length < 2) return problems
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()]
}

/** What members that stand for tags come to beside everything else that is declared, in each environment. */
export function checkTagsInForce(
  objects: readonly ObjectDeclaration[],
  settings: Settings,
  today: string | undefined,
): Problem[] {
  const environments = environmentsOf(settings)
  return objects.flatMap(declaration =>
    once(environments.flatMap(environment => problemsIn(declaration, environment, today))),
  )
}

function problemsIn(
  declaration: ObjectDeclaration,
  environment: Environment,
  today: string | undefined,
): Problem[] {
  if (declaration.environments.size === 0 && !declaration.base.tagMembers) return []
  const effective = effectiveIn(declaration, environment)
  if (effective?.ensure !== 'present' || !effective.layer.tagMembers) return []
  const { base, environments } = declaration
  const override = environment.name === undefined ? undefined : environments.get(environment.name)
  const layers = override ? [override, base] : [base]
  return [
    ...conflictsIn(declaration, effective.layer, layers),
    ...(today === undefined ? [] : expiryIn(declaration, effective.layer, layers, today)),
  ]
}

function conflictsIn(
  declaration: ObjectDeclaration,
  { fields, tagMembers: said = {} }: Layer,
  layers: readonly Layer[],
): Problem[] {
  const { kind, file, address } = declaration
  const field = kind.lifecycle.ownedBy ?? ''
  const layer = layers.find(each => each.fields[field] !== undefined)
  if (!layer) return []
  return conflictsOfTags(fields[field] ?? null, said).map(({ index, tag, member }) => ({
    code: 'tag-conflict',
    severity: 'error',
    message: redact(
      `the tag ${quote(tag)} does not go with ${quote(member)}: ${quote(said[member] ?? null)}`,
      file.secrets,
    ),
    hint: 'say it in one of the two ways',
    source: file.parsed.locate(layer.pointer + pointerOf(field, index)),
    address,
  }))
}

function expiryIn(
  declaration: ObjectDeclaration,
  { tagMembers: said = {} }: Layer,
  layers: readonly Layer[],
  today: string,
): Problem[] {
  const { kind, file, address } = declaration
  return dayMembers.flatMap((member): Problem[] => {
    const day = said[member]
    const layer = layers.find(each => each.tagMembers?.[member] !== undefined)
    // Days are written so that their order is that of texts.
    if (typeof day !== 'string' || !isDay(day) || day >= today || !layer) return []
    const isDefault = layer.members[member] === undefined
    const place = isDefault ? declaration.defaults?.places.get(member) : undefined
    return [
      {
        code: 'expired',
        severity: 'warning',
        message: `this ${kind.title} was wanted until ${redact(day, file.secrets)} and is still declared`,
        hint: 'take it out of the code, then declare `ensure: absent`; or set a later day',
        source:
          place?.parsed.locate(place.pointer, 'key') ?? file.parsed.locate(layer.pointer + pointerOf(member)),
        address,
      },
    ]
  })
}

const dayMembers = tagMemberNames.filter(name => tagMembers[name].type === 'day')
