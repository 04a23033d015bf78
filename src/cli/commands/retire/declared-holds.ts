import { namesIn } from '../../../core/flag-links.ts'
import type { Hold } from '../../../core/retire/retirement.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { flagNames } from '../../../targeting/index.ts'
import { effectiveIn } from '../../../yaml/resolve/effective.ts'
import { namingFlags } from '../../../yaml/resolve/naming-flags.ts'
import { placeDesired } from '../../../yaml/resolve/resolve.ts'
import type { EditableRepository } from '../edit/write-edit.ts'
import type { DeclaredIn } from './declared-in.ts'

/** What the files of a repository say that holds a flag in one environment. */
export function declaredHolds(repository: EditableRepository, flag: DeclaredIn): Hold[] {
  return [...ownHolds(flag), ...dependentHolds(repository, flag), ...audienceHolds(repository, flag)]
}

function ownHolds({
  declaration,
  desired: { protect, ensure },
  environment,
  source: place,
}: DeclaredIn): Hold[] {
  if (ensure === 'absent') return []
  const about = { environment: environment.name, place }
  // With the overrides and the defaults of the settings, as the list of stale flags reads it.
  const layer = effectiveIn(declaration, environment)?.layer
  return [
    ...(protect === true
      ? [
          {
            ...about,
            kind: 'protected' as const,
            what: 'the declaration protects it from being deleted or turned off',
            remedy: 'remove `protect: true` first, in a change of its own',
          },
        ]
      : []),
    ...(layer?.permanent === true
      ? [
          {
            ...about,
            kind: 'permanent' as const,
            what: 'the declaration says that it is here to stay',
            remedy:
              layer.members.permanent === undefined && declaration.base.members.permanent === undefined
                ? 'write `permanent: false` in its declaration first: `defaults` in the settings say otherwise'
                : 'remove `permanent: true` first',
          },
        ]
      : []),
  ]
}

function dependentHolds(
  { declared }: EditableRepository,
  { desired: { kind, identity, id, address }, environment }: DeclaredIn,
): Hold[] {
  const names = new Set([identity, ...(id === undefined ? [] : [id])])
  return placeDesired(namingFlags(declared), environment, () => undefined).flatMap(
    ({ declared: other, file, pointer, at }): Hold[] => {
      const isOther = other.kind === kind && other.address !== address && other.ensure === 'present'
      if (!isOther || !namesIn(declarableKind(kind), other.fields).some(name => names.has(name))) return []
      return [
        {
          kind: 'dependent',
          environment: environment.name,
          subject: other.address,
          place: file.parsed.locate(pointer, at),
          what: `${other.address} names it in its conditions`,
          remedy: `take it out of the conditions of ${other.identity}, and apply that`,
        },
      ]
    },
  )
}

function audienceHolds(
  { audiences, contextIn }: EditableRepository,
  { desired: { identity, id }, environment: { name: environment } }: DeclaredIn,
): Hold[] {
  const names = new Set([identity, ...(id === undefined ? [] : [id])])
  return audiences.flatMap(({ identity: audience, file, base }): Hold[] => {
    const properties = contextIn(environment).audience(audience)?.properties ?? []
    if (!flagNames({ groups: [{ properties }] }).some(name => names.has(name))) return []
    return [
      {
        kind: 'audience',
        environment,
        place: file.parsed.locate(base.pointer, 'key'),
        what: `the audience ${audience} asks for it`,
        remedy: `take it out of the audience ${audience}`,
      },
    ]
  })
}
